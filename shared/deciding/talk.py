"""The talk before a message: which messages belong to it, and whom each of them was for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from shared.deciding.addressing import is_named_by_command, mentioned, mentions, own_words
from shared.deciding.circumstances import Manners, Self
from shared.deciding.names import calls_one, is_of_word, names_one
from shared.models.message import Author, Message

#: as many messages are looked at as there were when the rules of follow-ups were found
USUAL_TALK = 15
#: and at most so many, where others write much between the agent's last words and what may be a follow-up to them
LONGEST_TALK = 100
#: shorter names are letters and numbers of lists too often: "a, b and c"
SHORTEST_NAME = 2


@dataclass(frozen=True)
class Line:
    """One message of a talk: its author's id, the ids or usernames of those that it was for, if it shows, its words."""

    author: int
    to: frozenset[int | str]
    words: str = ""


def spoken_before(message: Message, earlier: Iterable[Message]) -> tuple[Message, ...]:
    """What was said before a message, oldest first: no events, and nothing that came later."""
    return tuple(sorted((m for m in earlier if not m.is_service and _moment(m) < _moment(message)), key=_moment))


def talk_before(message: Message, spoken: Sequence[Message], manners: Manners) -> tuple[Message, ...]:
    """The messages that a message goes on with, oldest first: no silence between them was longer than `active`.

    Whatever it may be a follow-up to is among them, however much others wrote since.
    """
    reach = max(USUAL_TALK, _since_last_answer(message, spoken[-LONGEST_TALK:], manners))
    newest = spoken[-reach:]
    gaps = [after.at - before.at for before, after in pairwise([*newest, message])]
    broken = [place for place, gap in enumerate(gaps) if gap > manners.active]
    return tuple(newest[broken[-1] + 1 :] if broken else newest)


def _since_last_answer(message: Message, spoken: Sequence[Message], manners: Manners) -> int:
    """How many messages there are from the one that the agent last chose to answer; 0 if no follow-up can come now."""
    places = reversed(range(len(spoken)))
    said = next((place for place in places if spoken[place].author.is_agent), None)
    if said is None or message.at - spoken[said].at > manners.follow_up:
        return 0
    asked = (place for place in reversed(range(said)) if is_to_be_answered(spoken[place]))
    return len(spoken) - next(asked, said)


def is_to_be_answered(message: Message) -> bool:
    """Whether the agent chose to answer the message."""
    return message.decision is not None and message.decision.respond


def _moment(message: Message) -> tuple[int, int]:
    # Telegram's times are whole seconds; its ids rise within a chat, until a group moves
    return int(message.at.timestamp()), abs(message.message_id)


def lines_of(talk: Sequence[Message], spoken: Sequence[Message], people: Sequence[Author], me: Self) -> list[Line]:
    """The talk as lines; `spoken` ends with it. What the agent said to nobody by name was for who had asked."""
    askers, lines = _askers(spoken), []
    for message in talk:
        to = audience_of(message, people, me) or askers.get(message.message_id, frozenset())
        lines.append(Line(message.author.id, to, own_words(message)))
    return lines


def _askers(spoken: Sequence[Message]) -> dict[int, frozenset[int]]:
    """Whom each of the agent's messages answers: the person whom it last chose to answer when its plan began to speak.

    A plan may wait for long, and so speak in another talk than the one in which it was asked.
    """
    asker: frozenset[int] = frozenset()
    of_plans: dict[str, frozenset[int]] = {}
    found: dict[int, frozenset[int]] = {}
    for message in spoken:
        if message.author.is_agent:
            found[message.message_id] = of_plans.setdefault(message.plan, asker) if message.plan else asker
        elif is_to_be_answered(message):
            asker = frozenset({message.author.id})
    return found


def audience_of(message: Message, people: Iterable[Author], me: Self) -> frozenset[int | str]:
    """Those that a message is for: mentioned, replied to, or called by name; the agent also when it is only named."""
    known = {author.username.casefold(): author.id for author in people if author.username}
    to = {known.get(found, found) if isinstance(found, str) else found for found in mentioned(message)}
    words = own_words(message)
    to |= {author.id for author in people if not author.is_agent and calls_one(words, _names_of(author))}
    if message.replied_to is not None:
        to.add(message.replied_to.id)
    if not message.author.is_agent and is_for(message, me):
        to = (to - {me.username.casefold()}) | {me.bot_id}
    return frozenset(to - {message.author.id})


def is_for(message: Message, me: Self) -> str:
    """How a message means the agent, in a few words; empty if nothing shows that it does."""
    if mentions(message, me.bot_id, me.username):
        return "mentioned"
    if is_named_by_command(message, me.username):
        return "named by a command"
    if message.replied_to is not None and message.replied_to.is_agent:
        return "a reply to the agent"
    return "called by name" if names_one(own_words(message), me.called) else ""


def _names_of(author: Author) -> tuple[str, ...]:
    first = author.name.split(maxsplit=1)[0] if author.name.split() else ""
    names = (author.name, first, author.username)
    return tuple(name for name in names if len(name) >= SHORTEST_NAME and any(map(is_of_word, name)))
