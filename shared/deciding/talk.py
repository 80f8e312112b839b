"""The talk before a message: its recent messages, whom they address, and whether the next message continues it.

Whether a message that names nobody is a follow-up depends on who wrote when, and to whom. Of the text, only a question
mark counts, so this works in any language. The rules come from labelled group chats (`make bench NAME=decisions`);
`docs/benchmarks.md` has the accuracy of each rule.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from shared.deciding.addressing import folded_words, is_named_by_command, mentioned_people, mentions
from shared.deciding.calls import calls_one, speaks_of_one
from shared.deciding.circumstances import DecisionSettings, OwnIdentity
from shared.deciding.names import fold, forms_of, is_of_word
from shared.values.message import Author, Message

#: how many messages are examined: the number with which the follow-up rules were developed
USUAL_TALK = 15
#: the most messages that are examined if others write much between the agent's last message and a possible follow-up
LONGEST_TALK = 100
#: how a message addresses the agent
REPLY = "a reply to the agent"
NAMED = "called by name"
#: shorter names are not searched: in a text they are too often letters or numbers of a list, as in "a, b and c"
SHORTEST_NAME = 2


@dataclass(frozen=True)
class TalkLine:
    """One message of a talk: its author's id, the ids or usernames of its addressees, if known, and its text."""

    author: int
    to: frozenset[int | str]
    words: str = ""


def talk_before(
    message: Message, spoken: Sequence[Message], decision_settings: DecisionSettings
) -> tuple[Message, ...]:
    """Return the messages of the talk that a message belongs to, oldest first.

    A talk ends with a silence longer than the setting `active`. Only its last `USUAL_TALK` messages are returned, or
    more if needed to include the agent's last message, to which `message` may be a follow-up.
    """
    reach = max(USUAL_TALK, _since_last_answer(message, spoken[-LONGEST_TALK:], decision_settings))
    newest = spoken[-reach:]
    gaps = [after.at - before.at for before, after in pairwise([*newest, message])]
    broken = [place for place, gap in enumerate(gaps) if gap > decision_settings.active]
    return tuple(newest[broken[-1] + 1 :] if broken else newest)


def _since_last_answer(message: Message, spoken: Sequence[Message], decision_settings: DecisionSettings) -> int:
    """Return the number of messages from the newest back to the last one that the agent answered, including both.

    Return 0 if the agent has not written, or if its last message is too old for a follow-up.
    """
    places = reversed(range(len(spoken)))
    said = next((place for place in places if spoken[place].author.is_agent), None)
    if said is None or message.at - spoken[said].at > decision_settings.follow_up:
        return 0
    asked = (place for place in reversed(range(said)) if is_to_be_answered(spoken[place]))
    return len(spoken) - next(asked, said)


def is_to_be_answered(message: Message) -> bool:
    """Return whether the agent chose to answer the message."""
    return message.decision is not None and message.decision.respond


def talk_lines(
    talk: Sequence[Message], spoken: Sequence[Message], people: Sequence[Author], me: OwnIdentity
) -> list[TalkLine]:
    """Return the messages of a talk as lines. `talk` must be the last part of `spoken`.

    A message of the agent that names nobody counts as addressed to the person whom it answers.
    """
    askers, lines = _askers(spoken), []
    for message in talk:
        to = audience_of(message, people, me) or askers.get(message.message_id, frozenset())
        lines.append(TalkLine(message.author.id, to, folded_words(message)))
    return lines


def _askers(spoken: Sequence[Message]) -> dict[int, frozenset[int]]:
    """Map the id of each message of the agent to the person whom it answers: a set of one id, or an empty set.

    All messages of a plan answer the person whom the agent was to answer when the plan sent its first message: a plan
    may wait for a long time, so its later messages may be in another talk.
    """
    asker: frozenset[int] = frozenset()
    of_plans: dict[str, frozenset[int]] = {}
    askers: dict[int, frozenset[int]] = {}
    for message in spoken:
        if message.author.is_agent:
            askers[message.message_id] = of_plans.setdefault(message.plan, asker) if message.plan else asker
        elif is_to_be_answered(message):
            asker = frozenset({message.author.id})
    return askers


def audience_of(message: Message, people: Iterable[Author], me: OwnIdentity) -> frozenset[int | str]:
    """Return the addressees of a message: the people whom it mentions, replies to or calls by name.

    The agent is an addressee if its name occurs anywhere in the message, even if the name does not address it.
    """
    known = {author.username.casefold(): author.id for author in people if author.username}
    to = {known.get(one, one) if isinstance(one, str) else one for one in mentioned_people(message)}
    words = folded_words(message)
    to |= {author.id for author in people if not author.is_agent and calls_one(words, names_of(author))}
    if message.replied_to is not None:
        to.add(message.replied_to.id)
    if not message.author.is_agent and is_for(message, me):
        to = (to - {me.username.casefold()}) | {me.bot_id}
    return frozenset(to - {message.author.id})


def is_for(message: Message, me: OwnIdentity) -> str:
    """Return how a message addresses the agent, as a phrase such as `mentioned`; empty if it does not."""
    if mentions(message, me.bot_id, me.username):
        return "mentioned"
    if is_named_by_command(message, me.username):
        return "named by a command"
    if message.replied_to is not None and message.replied_to.is_agent:
        return REPLY
    return NAMED if speaks_of_one(folded_words(message), me.all_names) else ""


def names_of(author: Author) -> tuple[str, ...]:
    """Return the names of an author: the whole name, the first name, the username, in all grammatical cases."""
    first = author.name.split(maxsplit=1)[0] if author.name.split() else ""
    names = (author.name, first, author.username)
    some = (fold(name) for name in names if len(name) >= SHORTEST_NAME and any(map(is_of_word, name)))
    return tuple(form for name in some for form in forms_of(name))


#: two people who took this many turns are talking to each other, even if they name nobody
ENOUGH_TURNS = 3
#: two people count as alone if only they wrote the last messages, this many
ALONE_MESSAGES = 6
#: in a talk of at most this many people, the agent included, a question that names nobody is for the last speaker
SMALL_TALK = 4
#: characters of a short message, about ten words
LONGEST_SHORT = 80


@dataclass(frozen=True, kw_only=True)
class DialogueState:
    """The relation between the author of a message and the agent just before that message."""

    #: the author or the agent addressed the other, or they took turns, or they are alone
    are_engaged: bool
    #: the author has not written since the agent did
    is_their_turn: bool
    #: the last person who addressed the author was not the agent
    is_drawn_away: bool
    #: nobody has written since the agent did
    is_right_after: bool
    #: somebody else, who named nobody, wrote last and asked something
    is_after_a_question: bool
    #: how many people wrote, the agent and the author included
    speakers: int


def dialogue_state(lines: Sequence[TalkLine], author: int, agent: int) -> DialogueState | None:
    """Return the relation between `author`, who writes the next message, and the agent; None if the agent is not in the
    talk.
    """
    if all(line.author != agent for line in lines):
        return None
    since = [line.author for line in takewhile(lambda line: line.author != agent, reversed(lines))]
    addressed_by = [line.author for line in lines if author in line.to]
    return DialogueState(
        are_engaged=_are_engaged(lines, {author, agent}),
        is_their_turn=author not in since,
        is_drawn_away=bool(addressed_by) and addressed_by[-1] != agent,
        is_right_after=not since,
        is_after_a_question=lines[-1].author not in {author, agent} and not lines[-1].to and asks(lines[-1].words),
        speakers=len({author, *(line.author for line in lines)}),
    )


def _are_engaged(lines: Sequence[TalkLine], two: set[int]) -> bool:
    have_addressed = any(line.author in two and line.to & (two - {line.author}) for line in lines)
    turns = sum({before.author, after.author} == two for before, after in pairwise(lines))
    are_alone = len(lines) >= ALONE_MESSAGES and {line.author for line in lines[-ALONE_MESSAGES:]} == two
    return have_addressed or turns >= ENOUGH_TURNS or are_alone


def is_follow_up(before: DialogueState) -> bool:
    """Return whether the author is in a dialogue with the agent and it is the author's turn.

    Among few people, return False if somebody else has just asked a question, since the message may answer that
    question. Among many people, such a question is ignored, since it is most often not for this author.
    """
    may_be_asked = before.is_after_a_question and before.speakers <= SMALL_TALK
    return before.are_engaged and before.is_their_turn and not before.is_drawn_away and not may_be_asked


def is_small_question(before: DialogueState, words: str) -> bool:
    """Return whether a short question comes right after a message of the agent, in a talk of few people."""
    is_small = before.speakers <= SMALL_TALK and len(words) <= LONGEST_SHORT
    return before.is_right_after and is_small and asks(words) and not before.is_drawn_away


def is_unclear(before: DialogueState) -> bool:
    """Return whether a message may be a follow-up, although it is not clearly one."""
    return not before.is_drawn_away and (before.are_engaged or before.is_right_after)


def asks(words: str) -> bool:
    """Return whether the words contain a question mark, of any script."""
    return any("QUESTION MARK" in unicodedata.name(character, "") for character in words)
