// Moments in the time of the reader's clock. Without this module they stand in UTC.
const written = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

for (const one of document.querySelectorAll("time[datetime]")) {
  const moment = new Date(one.dateTime);
  if (!Number.isNaN(moment.getTime())) one.textContent = written.format(moment);
}
