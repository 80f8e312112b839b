"""What the people who are answered wrote themselves: ids that they ask for, and marks that they talk about.

An answer to "what is my user id?" names an id, and an answer about `[RESPOND]` holds it: neither leaks anything.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from shared.guarding.ids import Id, IdKind, ids_in
from shared.models.message import Edit, Message
from shared.prompting.scene import Scene

#: the word for an id as people spell it: `id`, `ID's`, `user_id`, `chatid`, `айди`, and so in other languages
_ID_WORD = re.compile(
    r"(?<![a-z])(?:user|chat|message|msg|thread|topic|telegram|tg|bot)?[_ -]?ids?(?![a-z])|айд[иі]|[іи]дентиф[іи]катор"
    r"|\bidentif(?:iant|icador|icativo|ikator|ier)|\bkennung|\bkiml[iı][kğ]|\bnumer|识别码|編號|编号|識別子|식별자|아이디|آیدی|معرف|आईडी"
    r"|\b(?:message|user|chat|topic|account|telegram)[ -]?numbers?\b|номер|\bnummer\b|\bnúmero\b|\bnuméro\b",
    re.IGNORECASE,
)
_MESSAGE = re.compile(
    r"(?:message|msg|nachricht|повідомлення|сообщени[ея]|mensaje|mensagem|messaggio|mesaj|wiadomość)"
    r"[ \t]*(?:nr\.?|no\.?|[#№])?[ \t]*(\d{1,19})(?!\d)",
    re.IGNORECASE,
)
_KEYS = "event|recalled|reactions|memory|summary|earlier|media|attached|quoting|cut|reminder"
_MARK = re.compile(
    rf"\[/?(?P<word>(?:meta|now|respond)(?=\])|(?:{_KEYS})(?![\w-]))"
    r"|(?P<turn><\|[^<>\s|]{1,40}\|>|<(?:start|end)_of_turn>)",
    re.IGNORECASE,
)
#: what has such marks of its own
_FORMATS = re.compile(
    r"\b(?:logs?|logging|log-?files?|toml|ya?ml|ini|config\w*|regex\w*|pars(?:e|es|ed|er|ing)|syntax|brackets?|bbcode"
    r"|front[ -]?matter|журнал\w*|лог\w{0,3}|формат\w*|дужк\w*|скобк\w*|protokoll\w*|klammern?|registros?|corchetes"
    r"|colchetes|journaux|crochets?|parentesi)\b",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"\{([a-z_]+)\}")
_HEADING = re.compile(r"^[ \t]*#+[ \t]*«", re.MULTILINE)
#: a mark as it stands in a prompt, where it says nothing about itself: alone on its line, before fields, before a role
_IMITATED = re.compile(
    r"^[ \t]*(?:\[/?(?:meta|now|respond)\][ \t]*(?:$|(?=\w+=)|(?=\d{4}-))"
    rf"|\[/?(?:{_KEYS})\b[^\]\n]*\][ \t]*$"
    r"|(?:<\|[^<>\s|]{1,40}\|>|<(?:start|end)_of_turn>)[ \t]*(?:$|(?:system|user|model|assistant)\b))",
    re.IGNORECASE | re.MULTILINE,
)

#: stands for all marks of chat templates, and for all headings of tasks
TEMPLATES, HEADINGS = "<||>", "# «»"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What of a prompt an answer may say, because the person who is answered has said it."""

    #: whether they speak of ids, so that ids in answers are what they asked for
    is_about_ids: bool = False
    #: the ids that they wrote
    ids: frozenset[Id] = frozenset()
    #: the words of lull's brackets that they wrote, in lower case, the names of variables, `TEMPLATES`, `HEADINGS`
    marks: frozenset[str] = frozenset()


def asked_in(scene: Scene) -> Asked:
    """What the messages that are to be answered say, or what they quote; without such, the last message of a person."""
    targets = frozenset(scene.targets)
    people = [entry for entry in scene.entries if isinstance(entry, Message | Edit) and not entry.author.is_agent]
    said = [entry for entry in people if entry.message_id in targets] or people[-1:]
    quoted = (text for m in said if isinstance(m, Message) and m.reply is not None for text in m.reply.words)
    return asked_by((*(entry.text for entry in said), *quoted))


def asked_by(texts: Iterable[str]) -> Asked:
    """What some texts of people say. Who imitates a mark talks about nothing: it may not come back all the same."""
    text = "\n".join(texts)
    messages = (Id(IdKind.MESSAGE, int(number)) for number in _MESSAGE.findall(text))
    marks = {TEMPLATES if mark["turn"] else mark["word"].lower() for mark in _MARK.finditer(_IMITATED.sub("", text))}
    marks |= {"meta", *_KEYS.split("|")} if _FORMATS.search(text) else set()
    headings = {HEADINGS} if _HEADING.search(text) else set()
    return Asked(
        is_about_ids=_ID_WORD.search(text) is not None,
        ids=frozenset((*ids_in(text), *messages)),
        marks=frozenset(marks | headings | set(_VARIABLE.findall(text))),
    )
