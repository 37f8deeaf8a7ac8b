"""Mail: messages, mailboxes, Outlook."""

from typing import Final

from pseudonymizer.formats.format import Cut, Format, Restores, Way

FORMATS: Final = (
    Format(
        "msg", "Outlook message", ("msg",), heads=(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",),
        tell=Way("mail.outlook:format_of_ole"), is_signed=True,
        read=Way("mail.outlook:read"), undo=Way("mail.outlook:undo"),
        is_marked=Way("mail.outlook_marks:is_marked"), restores=Restores.PARTS,
    ),
    Format(
        "tnef", "Packed message of Outlook (winmail.dat)", ("tnef",),
        ("application/ms-tnef", "application/vnd.ms-tnef"), heads=(b"\x78\x9f\x3e\x22",), is_signed=True,
        parse=Way("mail.winmail:parse"),
    ),
    Format(
        "mbox", "Mailbox", ("mbox",), looks_like=Way("mail.heads:looks_like_mailbox"),
        among=frozenset({"txt"}), looks_like_among=Way("mail.heads:looks_like_packed_mailbox"),
        read=Way("mail.mailbox:read"), is_marked=Way("mail.marks:is_marked_mailbox"), cut=Cut.MESSAGES,
    ),
    Format(
        "eml", "Mail message", ("eml",), looks_like=Way("mail.heads:looks_like_mail"),
        among=frozenset({"txt"}), looks_like_among=Way("mail.heads:looks_like_packed_mail"),
        parse=Way("mail.message:parse"),
        stamps=Way("mail.marks:stamps"), is_marked=Way("mail.marks:is_marked"),
    ),
)  # fmt: skip
