"""/language: the language of lull's own texts in a chat. People set it, or it is detected."""

import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Final

from shared.base.wording.words import Words, catalogue, languages, words_in
from shared.commands.command import Audience, ButtonHandler, Command, CommandRequest, CommandResponse, verbatim
from shared.commands.pager import Pager
from shared.values.channel import Button

#: the argument, and the choice of the button, with which lull uses the language in which people write
AUTO = "auto"
#: other words for this argument, by which apps call such a choice
AUTOMATIC: Final = frozenset(
    (
        *("-", AUTO, "automatic", "automatically", "automatisch", "automatique", "automático", "automatico"),
        *("automatycznie", "otomatik", "otomatis", "avtomatik", "авто", "автоматически", "автоматично", "تلقائي"),
        *("خودکار", "स्वचालित", "自动", "自動", "자동", "default", "reset", "off", "none"),
    )
)
#: the number of letters at the beginning of a language's name that are enough to identify it
LEAST_BEGIN: Final = 3
#: the minimum similarity of a misspelt name: it accepts `germn`, but not `Javanese` for Japanese
LEAST_LIKENESS: Final = 0.88
MARKS: Final = " .,:;!?=/\"'“”„«»()[]"
APOSTROPHES: Final = "'’ʼʻ‘`"
#: letters that Unicode's normalisation does not decompose
_ALIKE: Final = str.maketrans("ıł", "il")
#: the maximum characters of the argument that the answer repeats
LONGEST_SAID = 40


def respond(request: CommandRequest) -> CommandResponse:
    """Return the response that sets the language with the code or the name in the argument. Without an argument, return
    the current language with a button for each language.
    """
    words, wanted = request.words, " ".join(request.argument.casefold().split())
    if wanted.strip(MARKS) in AUTOMATIC:
        return _set("", words)
    if found := language_named(wanted):
        return _set(found, words)
    if wanted:
        said = verbatim(request.argument[:LONGEST_SAID])
        return CommandResponse(text=words.say("language.none", text=said), buttons=_buttons(request))
    told = words.say("language.set") if request.chat.locale.chosen_language else words.say("language.told")
    return CommandResponse(text=told, buttons=_buttons(request))


def press(request: CommandRequest) -> CommandResponse:
    """Return the response that sets the language of the pressed button."""
    if request.argument not in {AUTO, *languages()}:
        return CommandResponse(notice=request.words.say("button.gone"))
    return _set("" if request.argument == AUTO else request.argument, request.words)


def language_named(wanted: str) -> str:
    """Return the code of the language with this code or name; "" if the text names none, or may mean several.

    A name may be in the language itself, in English or in another language.
    """
    tag, plain, known = wanted.replace("_", "-").partition("-")[0].strip(MARKS), _plain(wanted), _names()
    if tag in languages():
        return tag
    within = {one for name, one in known.items() if len(name) >= LEAST_BEGIN and f" {name} " in f" {plain} "}
    begun = {one for name, one in known.items() if len(plain) >= LEAST_BEGIN and name.startswith(plain)}
    near = {known[name] for name in get_close_matches(plain, known, cutoff=LEAST_LIKENESS)}
    found = [{known[plain]}] if plain in known else [some for some in (within, begun, near) if some]
    return next(iter(found[0])) if found and len(found[0]) == 1 else ""


@cache
def _names() -> Mapping[str, str]:
    """Return the known names of languages, mapped to their codes."""
    return {_plain(name): one for one in languages() for name in catalogue(one).speech.names}


def _plain(name: str) -> str:
    """Return a name for comparison, without capitals, accents, apostrophes and punctuation. Flags are kept."""
    letters = unicodedata.normalize("NFKD", name.casefold().translate(_ALIKE))
    kept = (one for one in letters if unicodedata.category(one)[0] not in "MC" and one not in APOSTROPHES)
    return " ".join("".join(one if unicodedata.category(one)[0] in "LNS" else " " for one in kept).split())


def _set(language: str, words: Words) -> CommandResponse:
    """Return the response that sets a language; with "", lull uses the language in which people write here."""
    told = words_in(language).say("language.chosen") if language else words.say("language.follows")
    return CommandResponse(text=told, notice=told, changes={"chosen_language": language})


def _buttons(request: CommandRequest) -> tuple[Button, ...]:
    labels = {AUTO: request.words.say("language.auto"), **{one: catalogue(one).speech.names[0] for one in languages()}}
    return Pager(command="language", request=request).choices(labels, request.chat.locale.chosen_language or AUTO)


COMMAND = Command(
    name="language",
    order=88,
    takes_argument=True,
    audience=Audience.ADMINISTRATORS,
    respond=respond,
    press=ButtonHandler(respond=press),
)
