"""What pages call kinds, styles, profiles, treatments and ways of finding: English messages by key. A key
without one, such as a kind of the user's own, is shown as it is.
"""

from collections.abc import Mapping
from typing import Final

from pseudonymizer.web.languages import marked as _

KINDS: Final[Mapping[str, str]] = {
    "PERSON": _("person"),
    "USERNAME": _("user name"),
    "AGE": _("age"),
    "BIRTH_DATE": _("birth date"),
    "DATE": _("date"),
    "TIME": _("time"),
    "EMAIL": _("e-mail address"),
    "PHONE": _("telephone number"),
    "FAX": _("fax number"),
    "URL": _("web address"),
    "IP_ADDRESS": _("IP address"),
    "STREET": _("street"),
    "POSTCODE": _("postcode"),
    "CITY": _("city"),
    "REGION": _("region"),
    "COUNTRY": _("country"),
    "PLACE": _("place"),
    "ORGANIZATION": _("organisation"),
    "CARE_PROVIDER": _("care provider"),
    "SCHOOL": _("school"),
    "DEPARTMENT": _("department"),
    "PRODUCT": _("product"),
    "PROFESSION": _("profession"),
    "GROUP": _("group"),
    "NATIONAL_ID": _("citizen service number"),
    "IDENTITY_DOCUMENT": _("identity document"),
    "BANK_ACCOUNT": _("bank account"),
    "PAYMENT_CARD": _("payment card"),
    "PATIENT_NUMBER": _("patient number"),
    "CASE_NUMBER": _("case number"),
    "PROFESSIONAL_LICENCE": _("professional registration"),
    "COMPANY_NUMBER": _("company number"),
    "VEHICLE": _("licence plate"),
    "DEVICE": _("device"),
    "PASSWORD": _("password"),
    "MONEY": _("amount of money"),
    "NUMBER": _("number"),
    "FILE": _("name of a file"),
    "LITERAL": _("text that looks like a pseudonym"),
    "OTHER": _("other"),
}
CATEGORIES: Final[Mapping[str, str]] = {
    "NAME": _("Names"),
    "AGE": _("Ages"),
    "DATE": _("Dates and times"),
    "CONTACT": _("Ways to reach somebody"),
    "LOCATION": _("Places"),
    "ORGANIZATION": _("Organisations"),
    "ROLE": _("Roles"),
    "ID": _("Numbers of persons and things"),
    "AMOUNT": _("Amounts"),
    "FILE": _("Files"),
    "TEXT": _("Texts"),
    "OTHER": _("Other"),
}
STYLES: Final[Mapping[str, str]] = {
    "code": _("codes, such as PERSOON-7KQM3"),
    "token": _("short tokens, such as P1-7KQM3"),
    "tag": _("tags, such as <PERSOON-7KQM3>"),
    "surrogate": _("invented names"),
    "mask": _("masks; no way back"),
    "initials": _("initials; no way back"),
}
PROFILES: Final[Mapping[str, str]] = {
    "names": _("names alone"),
    "direct": _("what points to one person by itself"),
    "mortgage": _("mortgage files"),
    "clinical": _("clinical texts"),
    "hipaa": _("Safe Harbor (HIPAA)"),
    "everything": _("everything that is found"),
}
DETECTORS: Final[Mapping[str, str]] = {
    "ner": _("found by the network"),
    "list": _("found by a list of names"),
    "typo": _("found as a misspelt name"),
    "registry": _("found by your own list"),
    "consistency": _("found elsewhere in the text"),
    "pattern": _("found by its pattern"),
}
HOW: Final[Mapping[str, str]] = {
    "exact": _("The text came back exactly as it was."),
    "by labels": _("Names stand again where their pseudonyms stood."),
    "in part": _("Some names are back; others have no way back."),
    "one-way": _("Nothing came back: this style has no way back."),
    "without the erased": _("The text is back, without the names of people who were erased."),
    "untouched": _("No pseudonym of this project stands in the text."),
}
FILE_STATES: Final[Mapping[str, str]] = {
    "waiting": _("not all of it has come"),
    "received": _("received"),
    "analysed": _("analysed"),
    "written": _("written"),
    "refused": _("not treated"),
}
WORKSPACE_STATES: Final[Mapping[str, str]] = {
    "empty": _("no files yet"),
    "uploading": _("not all files have come"),
    "received": _("received"),
    "analysed": _("analysed"),
    "written": _("written"),
}
STAGES: Final[Mapping[str, str]] = {
    "": _("beginning"),
    "unseal": _("opening the files"),
    "detect": _("finding names and other values"),
    "link": _("finding out who is who"),
    "plan": _("looking at the files"),
    "rewrite": _("writing"),
    "report": _("counting"),
    "seal": _("sealing what was written"),
}
WHY_NOT: Final[Mapping[str, str]] = {
    "UnsupportedInputError": _("This kind of file is not read, or the file is not what its name says."),
    "DamagedDocumentError": _(
        "The file is damaged. Open it in its own program, save it again, and send that."
    ),
    "EncryptedDocumentError": _("The file has a password. Send it without one."),
    "EncodingUndeterminedError": _("Its letters cannot be told. Save it as UTF-8."),
    "DocumentTooLargeError": _("The file is too large, or unpacks to too much."),
    "LeftInOutputError": _(
        "After it was written, it still said a name in a place that nobody sees. Nothing was written. "
        "Send it in another format."
    ),
}
STATES: Final[Mapping[str, str]] = {
    "open": _("waits for approval"),
    "approved": _("approved"),
    "granted": _("grant is given"),
    "used": _("used"),
    "denied": _("denied"),
    "withdrawn": _("withdrawn"),
    "expired": _("expired"),
}
REQUESTED: Final[Mapping[str, str]] = {
    "reveal": _("the names behind pseudonyms"),
    "restore": _("the originals of files"),
    "link-projects": _("which persons two projects have in common"),
}
ROLES: Final[Mapping[str, str]] = {
    "analyst": _("analyst: writes pseudonyms"),
    "curator": _("curator: writes pseudonyms, sees names, and says who is one person"),
    "requester": _("requester: asks for names, and gets them back"),
    "approver": _("approver: approves requests or denies them"),
    "auditor": _("auditor: reads and verifies the trail"),
    "keyadmin": _("key administrator: renews and moves keys"),
    "dpo": _("data protection officer: looks up, erases, gives roles"),
}
TREATMENTS: Final[Mapping[str, str]] = {
    "keep": _("stays as it is"),
    "follow": _("the pseudonym of the person, else a code"),
    "follow_or_keep": _("the pseudonym of the person, else it stays"),
    "code": _("a code"),
    "token": _("a short token"),
    "tag": _("a tag"),
    "surrogate": _("an invented one"),
    "initials": _("initials"),
    "mask": _("a mask"),
    "random": _("other letters and figures"),
    "category": _("the word of its kind"),
    "shift": _("another date, moved by a secret number of days"),
    "month": _("the month alone"),
    "year": _("the year alone"),
    "bands": _("a band of ages"),
    "first_figures": _("the first figures alone"),
    "round": _("a rounded amount"),
}
