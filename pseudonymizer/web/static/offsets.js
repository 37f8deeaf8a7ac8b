// Places in a reading view as code points of the text that the server has. Strings here count UTF-16 units.
const ENDINGS = { crlf: "\r\n", lf: "\n", cr: "\r" };

export const codePoints = (text) => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

const textNodes = (line) => document.createTreeWalker(line, NodeFilter.SHOW_TEXT);

// The text of a view, with the line endings that it has at the server.
export const textOf = (view) =>
  [...view.querySelectorAll(".line")].map((line) => line.textContent + (ENDINGS[line.dataset.ending] ?? "")).join("");

// The place of a point of the page, as a range or selection names it.
export const placeOf = (node, offset) => {
  const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  const line = element.closest(".line");
  if (!line) return null;
  let place = Number(line.dataset.start);
  const end = document.createRange();
  end.setStart(line, 0);
  end.setEnd(node, offset);
  const nodes = textNodes(line);
  while (nodes.nextNode()) {
    const text = nodes.currentNode;
    if (text === node) return place + codePoints(text.data.slice(0, offset));
    if (end.comparePoint(text, text.length) > 0) break;
    place += codePoints(text.data);
  }
  return place;
};

// [start, end) of what a range covers.
export const placesOf = (range) => [
  placeOf(range.startContainer, range.startOffset),
  placeOf(range.endContainer, range.endOffset),
];
