"""The rules: in private chats every message is answered, in groups those addressed to the agent. Pure functions."""

from collections.abc import Collection, Sequence
from itertools import takewhile

from shared.base.text import WrittenCommand
from shared.deciding.addressing import (
    folded_words,
    is_for_agent,
    mentioned_people,
    mentions,
    people_called_by_mention,
    written_command,
)
from shared.deciding.calls import asks_one, calls_one, surely_calls_one
from shared.deciding.circumstances import DecisionContext, DecisionSettings, OwnIdentity
from shared.deciding.names import fold
from shared.deciding.talk import (
    NAMED,
    REPLY,
    asks,
    audience_of,
    dialogue_state,
    is_follow_up,
    is_for,
    is_small_question,
    is_to_be_answered,
    is_unclear,
    names_of,
    talk_before,
    talk_lines,
)
from shared.values.chat_key import ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.message import Author, Message


def decide(message: Message, kind: ChatKind, me: OwnIdentity) -> Decision:
    """Decide whether to answer a message, looking at no other message of its chat."""
    return decide_in(message, DecisionContext(kind=kind, me=me))


def decide_in(message: Message, given: DecisionContext) -> Decision:
    """Decide whether to answer a message, considering its chat and the messages before it."""
    refused = refusal(message, given)
    if refused:
        return Decision(respond=False, reason=refused, tier=DecisionTier.ACCESS)
    if message.reminder is not None:  # muting the agent does not cancel its reminders
        return _yes("a reminder", DecisionTier.EXPLICIT)
    given = given.before(message)
    if message.author.is_bot and not message.author.is_agent:
        return _decide_bot(message, given)
    silence = reason_for_silence(message, given)
    if silence:
        return _no(silence)
    if given.kind.is_of_one:
        return _yes("private chat", DecisionTier.CHAT)
    command = written_command(message)
    if command is not None and not command.username and is_for_agent(command, message, given):
        return _yes("a command", DecisionTier.EXPLICIT)
    called = is_for(message, given.me)
    return _decide_called(message, called, given) if called else _decide_talk(message, given)


def refusal(message: Message, given: DecisionContext) -> str:
    """Return the access policy's reason for not answering a message; empty if there is none, as for the agent's own."""
    is_nobodys = message.author.is_agent or message.is_service or message.is_post
    return "" if is_nobodys else given.access.refusal(message.author.id)


def reason_for_silence(message: Message, given: DecisionContext) -> str:
    """Return the reason for not answering a message; empty if there is none. Of the text, only a command counts."""
    if message.author.is_agent:
        return "the agent's own"
    if message.is_service:
        return "an event, nothing said"
    if message.is_post or given.kind in {ChatKind.CHANNEL, ChatKind.NONE}:
        return "a channel's post"
    if given.kind is ChatKind.DIRECT and message.author.id <= 0:
        return "the channel's own"
    if refused := refusal(message, given):
        return refused
    command = written_command(message) or WrittenCommand("")
    if given.is_muted and not (command.name in given.me.commands and is_for_agent(command, message, given)):
        return "the chat is muted"
    is_others = command.username not in {"", given.me.username.casefold()} and given.kind is not ChatKind.PRIVATE
    return "another bot's command" if is_others else ""


def _decide_bot(message: Message, given: DecisionContext) -> Decision:
    """Decide whether to answer another bot: at most once until a person writes, to avoid endless talk between bots."""
    me, is_chat = given.me, given.kind in {ChatKind.GROUP, ChatKind.SUPERGROUP} and not given.is_muted
    if not (is_chat and given.decision_settings.answers_bots and mentions(message, me.bot_id, me.username)):
        return _no("a bot's")
    spoken = [m.author for m in given.earlier]
    last = next((author for author in reversed(spoken) if author.is_agent or not author.is_bot), None)
    if last is not None and last.is_agent:
        return _no("a bot's, and no person has written since the agent did")
    return _yes("mentioned by a bot", DecisionTier.EXPLICIT)


def _decide_called(message: Message, called: str, given: DecisionContext) -> Decision:
    """Decide whether a message that names the agent is meant for the agent rather than for somebody else."""
    if called == REPLY and _calls_others(message, given):
        return _no("a reply to the agent, but for somebody else")
    if _is_only_spoken_of(message, called, given):
        return _unclear("named, but to somebody else", given)
    return _yes(called, DecisionTier.EXPLICIT)


def _calls_agent(message: Message, me: OwnIdentity) -> bool:
    """Return whether a message addresses the agent by name, rather than only containing the name."""
    words = folded_words(message)
    return calls_one(words, me.all_names) or asks_one(words, me.all_names)


def _calls_others(message: Message, given: DecisionContext) -> bool:
    """Return whether a message addresses other people by mention or name, and does not address the agent too."""
    me = given.me
    own = {me.bot_id, me.username.casefold(), message.author.id, message.author.username.casefold()}
    others = {m.author for m in given.earlier if m.author.id not in own}
    words = folded_words(message)
    if _is_bare(message, words, others) and message.reply is not None and asks(message.reply.whole):
        return False
    is_called = people_called_by_mention(message) - own or any(surely_calls_one(words, names_of(one)) for one in others)
    return bool(is_called) and not _calls_agent(message, me)


def _is_bare(message: Message, words: str, others: Collection[Author]) -> bool:
    """Return whether a message consists only of a name or a mention. Such a message may be the answer to a question."""
    names = {fold(name) for one in others for name in names_of(one)}
    return words.strip(" .!") in (names if not mentioned_people(message) else {""})


def _is_only_spoken_of(message: Message, called: str, given: DecisionContext) -> bool:
    """Return whether the message contains the agent's name, but is addressed to somebody else."""
    if called != NAMED or _calls_agent(message, given.me):
        return False
    people = {m.author for m in given.earlier if not m.author.is_agent and m.author.id != message.author.id}
    words, others = folded_words(message), people_called_by_mention(message) - {message.author.id}
    is_called = any(calls_one(words, names) or surely_calls_one(words, names) for names in map(names_of, people))
    return is_called or bool(others) or message.replied_to not in {None, message.author}


def _decide_talk(message: Message, given: DecisionContext) -> Decision:
    """Decide whether a message that does not name the agent continues a dialogue of its author with the agent."""
    me, decision_settings = given.me, given.decision_settings
    talk = talk_before(message, given.earlier, decision_settings)
    people = list({m.author.id: m.author for m in (*given.earlier, message)}.values())
    # checked first, since the agent takes no part in most talks, and lines are costly to make
    is_in_it = any(m.author.id == me.bot_id for m in talk)
    lines = talk_lines(talk, given.earlier, people, me) if is_in_it else ()
    before = dialogue_state(lines, message.author.id, me.bot_id)
    more = _is_more(message, talk, decision_settings)
    if written_command(message) is not None or not (before or more):
        return _no("not addressed")
    if audience_of(message, people, me):
        return _no("for somebody else")
    if before is None or more:
        return _yes("more of what the agent was told", DecisionTier.FOLLOW_UP)
    spoke_at = max(m.at for m in talk if m.author.is_agent)
    is_late = message.at - spoke_at > decision_settings.follow_up
    if is_follow_up(before):
        return _unclear("perhaps a late follow-up", given) if is_late else _yes("a follow-up", DecisionTier.FOLLOW_UP)
    if not is_late and not decision_settings.asks_judge and is_small_question(before, folded_words(message)):
        return _yes("a question right after the agent's words", DecisionTier.FOLLOW_UP)
    return _unclear("perhaps a follow-up", given) if is_unclear(before) else _no("not addressed")


def _is_more(message: Message, talk: Sequence[Message], decision_settings: DecisionSettings) -> bool:
    """Return whether the author adds to a message that the agent is to answer, before anybody else has written."""
    own = takewhile(lambda m: m.author.id == message.author.id and written_command(m) is None, reversed(talk))
    return any(is_to_be_answered(m) and message.at - m.at <= decision_settings.follow_up for m in own)


def _unclear(reason: str, given: DecisionContext) -> Decision:
    tier = DecisionTier.JUDGE if given.decision_settings.asks_judge else DecisionTier.NONE
    return Decision(respond=False, reason=f"unclear: {reason}", tier=tier)


def _yes(reason: str, tier: DecisionTier) -> Decision:
    return Decision(respond=True, reason=reason, tier=tier)


def _no(reason: str) -> Decision:
    return Decision(respond=False, reason=reason, tier=DecisionTier.NONE)
