"""Asking: what the owner is asked about a stranger or a group, in words and buttons that /requests takes."""

from typing import Final

from shared.commands.command import quoted
from shared.models.access import AccessRequest
from shared.models.reminder import Offer
from shared.wording.direction import LEFT_TO_RIGHT_MARK, isolated
from shared.wording.words import Phrase, Words

_WORDS_SHOWN: Final = 300
#: what stands before the id of a request on the button that shows it
SHOWN: Final = "s"
#: and before the number of a person on the one that blocks them: it does so also when they were forgotten since
BLOCKS: Final = "n"


def asking(words: Words, request: AccessRequest) -> Phrase:
    """Who asks, and what they wrote, as markdown in which nothing of theirs is a link."""
    who = who_asks(request)
    if request.is_group:
        return words.say("access.wish_group", title=quoted(request.title), who=who)
    said = quoted(request.words, _WORDS_SHOWN)
    return words.say("access.wish", who=who, words=said) if said else words.say("access.wish_alone", who=who)


def who_asks(request: AccessRequest) -> str:
    """Somebody by their name, username and id, as markdown, in this order also where the name runs from the right."""
    told = [quoted(f"@{request.username}")] if request.username else []
    told.append(str(request.person))
    name = quoted(request.name) or "?"
    shown = isolated(name, is_right_to_left=False)
    return f"{LEFT_TO_RIGHT_MARK if shown != name else ''}{shown} ({', '.join(told)})"


def showing(words: Words, request: AccessRequest) -> tuple[Offer, ...]:
    """What shows the owner what a person has written since; of a group nothing is shown."""
    shown = Offer(text=words.say("people.show"), command="requests", argument=f"{SHOWN}{request.id}")
    return () if request.is_group else (shown,)


def offers(words: Words, request: AccessRequest) -> tuple[Offer, ...]:
    """What the owner may do about it."""
    let_in = (f"l{request.id}", words.say("access.let_in"))
    once, block = (f"o{request.id}", words.say("access.once")), (f"{BLOCKS}{request.person}", words.say("access.block"))
    leave = (f"g{request.id}", words.say("access.leave"))
    shown = (let_in, leave) if request.is_group else (let_in, once, block)
    return tuple(Offer(text=text, command="requests", argument=argument) for argument, text in shown)
