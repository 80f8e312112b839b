"""The commands that lull answers by itself: what each is called, what it is for, where it works and who may use it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from shared.models.chat import ChatKind

#: the language that stands in for the others
FALLBACK = "en"


class Scope(StrEnum):
    """The kinds of chat that a command is for."""

    PRIVATE = "private"
    GROUP = "group"
    BOTH = "both"


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """One command. Its descriptions are by language; Telegram takes up to 256 characters."""

    name: str
    descriptions: Mapping[str, str]
    #: how it is written, if there may be something behind it
    usage: str = ""
    scope: Scope = Scope.BOTH
    #: whether in a group only its administrators may use it: it changes the chat for everybody
    for_administrators: bool = False
    #: whether what was planned or still waits for an answer ends with it
    ends_plan: bool = False

    def is_for(self, kind: ChatKind) -> bool:
        """Whether it works in such a chat."""
        other = Scope.GROUP if kind is ChatKind.PRIVATE else Scope.PRIVATE
        return self.scope is not other

    def description(self, language: str) -> str:
        """What it is for, in a language (an IETF tag); in English if it is not known."""
        return self.descriptions.get(language.partition("-")[0], self.descriptions[FALLBACK])


COMMANDS = (
    Declaration(
        name="start",
        descriptions={"en": "Who I am", "de": "Wer ich bin", "uk": "Хто я"},
        scope=Scope.PRIVATE,
    ),
    Declaration(
        name="help",
        descriptions={"en": "What works here", "de": "Was hier geht", "uk": "Що тут працює"},
    ),
    Declaration(
        name="new",
        descriptions={
            "en": "Begin another conversation",
            "de": "Ein neues Gespräch beginnen",
            "uk": "Почати нову розмову",
        },
        for_administrators=True,
        ends_plan=True,
    ),
    Declaration(
        name="model",
        descriptions={
            "en": "Show or choose the model",
            "de": "Das Modell zeigen oder wählen",
            "uk": "Показати або вибрати модель",
        },
        usage="/model [name]",
        for_administrators=True,
    ),
    Declaration(
        name="stop",
        descriptions={
            "en": "Stop what I am doing",
            "de": "Abbrechen, was ich gerade tue",
            "uk": "Зупинити те, що я роблю",
        },
        ends_plan=True,
    ),
    Declaration(
        name="mute",
        descriptions={
            "en": "Silence me, for a while or until /unmute",
            "de": "Mich still stellen, eine Weile oder bis /unmute",
            "uk": "Заглушити мене на якийсь час або до /unmute",
        },
        usage="/mute [30m, 2h, 1d]",
        for_administrators=True,
        ends_plan=True,
    ),
    Declaration(
        name="unmute",
        descriptions={"en": "Let me answer again", "de": "Mich wieder antworten lassen", "uk": "Дозволити відповідати"},
        for_administrators=True,
    ),
    Declaration(
        name="title",
        descriptions={
            "en": "Show or set the conversation's title",
            "de": "Den Titel des Gesprächs zeigen oder setzen",
            "uk": "Показати або задати назву розмови",
        },
        usage="/title [text]",
        for_administrators=True,
    ),
    Declaration(
        name="whoami",
        descriptions={
            "en": "What I know you by",
            "de": "Woran ich dich erkenne",
            "uk": "За чим я вас упізнаю",
        },
    ),
    Declaration(
        name="claim",
        descriptions={
            "en": "Become my owner, by a code",
            "de": "Mein Besitzer werden, mit einem Code",
            "uk": "Стати моїм власником, за кодом",
        },
        usage="/claim CODE",
        scope=Scope.PRIVATE,
    ),
)
BY_NAME = {declaration.name: declaration for declaration in COMMANDS}
NAMES = frozenset(BY_NAME)
LANGUAGES = tuple(COMMANDS[0].descriptions)
