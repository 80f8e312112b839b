"""Ask the owner about a stranger or a group that is not admitted, and tell the waiting person that the owner was asked.

The person is told once. The commit that stores the stranger's message stores all changes. They cost three reads and
three writes, at most once a month for each stranger. Further messages of a waiting person cost nothing more.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from ulid import ULID

from shared.access.checker import AccessChecker
from shared.access.commands.requests import offers, offers_to_show, question
from shared.access.notices import OwnerNotice
from shared.access.store.requests import StoredAccessRequest
from shared.access.tasks.leave import Leave
from shared.base.logs import log
from shared.base.text import command_in
from shared.base.wording.words import SILENCE, Phrase, Words, words_in
from shared.chat.session import Session
from shared.chat.store.bots import SentOwnerNotice
from shared.chat.store.outbox import StoredNotice
from shared.commands.command import quoted
from shared.deciding.access_policy import GROUP, STRANGER
from shared.tasks.graph import with_own_tasks
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.send import own_words
from shared.turn.batch import InboxBatch
from shared.turn.language import words_for
from shared.turn.members import GROUPS, writers_in
from shared.turn.services import TickContext
from shared.values.access_request import ASKED_AGAIN, LONGEST_WORDS, WOKEN, AccessRequest, RequestState, request_id
from shared.values.agent import GroupPolicy, StrangerPolicy
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.message import Author, Event, Message
from shared.values.outbox import NoticeButton
from shared.values.trust import TrustTier

#: the waiting people of whom the owner gets a notice each; for more people, there is one summary notice a day
MOST_TOLD: Final = 20


async def escalate(context: TickContext, batch: InboxBatch, plan: Plan | None) -> Plan | None:
    """Ask the owner about strangers, greet people whom the owner admitted, or leave a group. Return the plan with the
    messages for this. Raises StoreUnavailable or StoreRefused.
    """
    _note_said(context.session, batch)
    admission, chat = context.services.admission, context.session.chat
    if admission is None:
        return plan
    admission.refresh_memberships(
        chat.key.chat_id, here=(*batch.members.come, *writers_in(batch.entries)), gone=batch.members.gone
    )
    if batch.is_admitted:
        return _with_welcome(context.session, context.now, batch, plan)
    if chat.key.is_of_one and chat.is_muted(context.now):
        return plan  # the person asked for silence, and can end the silence
    who, access_list = _asking(batch), batch.access.access_list
    front = admission.front if access_list is None else access_list.rules.in_front(admission.front)
    news, is_asked = batch.members, _is_asked(chat.access.asked_access_at, context.now)
    is_added = (
        news.added_by is not None
    )  # also if the agent is added again to a group that it had left: earlier decisions no longer apply
    if who is None or news.was_removed or (is_asked and not is_added):
        return plan
    is_by_blocked = news.added_by is not None and _is_blocked(batch, news.added_by)
    if batch.access.chat_id < 0 and (is_by_blocked or front.groups is GroupPolicy.LEAVE):
        return await _leave_group(context, batch, plan)
    if not batch.access.owner or (batch.access.chat_id > 0 and front.strangers is StrangerPolicy.IGNORE):
        return plan
    context.session.note_part(evolve(context.session.chat.access, asked_access_at=context.now))
    return await _ask_owner(context, admission, batch, who, plan)


def _note_said(session: Session, batch: InboxBatch) -> None:
    """If the owner woke the agent, unmute the chat. If the owner permitted a person one question and it was asked,
    permit no other. The next commit stores these changes.
    """
    if any(isinstance(entry, Event) and entry.kind == WOKEN for entry in batch.entries):
        session.note_part(evolve(session.chat.access, muted_until=None, asked_access_at=None))
    if session.chat.access.may_ask_once and batch.targets:
        session.note_part(evolve(session.chat.access, may_ask_once=False))


def _with_welcome(session: Session, now: datetime, batch: InboxBatch, plan: Plan | None) -> Plan | None:
    """After the owner admitted the chat, return the plan; with a welcome if it is private and awaits no answer."""
    is_private = batch.access.chat_id > 0
    if not is_private:
        session.note_part(evolve(session.chat.access, asked_access_at=None))
        return plan
    waits_once = batch.access.is_once and not batch.targets
    # if the person had asked for silence, the silence ends, since the person has written again and will be answered
    session.note_part(evolve(session.chat.access, asked_access_at=None, may_ask_once=waits_once, muted_until=None))
    if batch.targets:
        return plan
    words = _words(session, batch)
    return _with_words(now, plan, words.say("access.ask_once") if waits_once else words.say("access.welcome"))


def _asking(batch: InboxBatch) -> Author | None:
    """Return the person who can only be answered with the owner's permission; None if there is nobody.

    In a group, this is the person who added the agent, or the first who wrote.
    """
    commands = {entry.message_id for entry, _ in batch.commands if isinstance(entry, Message)}
    # a due reminder does not count as a request to be admitted
    written = [e for e in batch.entries if isinstance(e, Message) and not e.author.is_agent and e.reminder is None]
    said = [e for e in written if e.message_id not in commands]
    if batch.access.chat_id < 0:
        writer = next((e.author for e in said if not _is_blocked(batch, e.author)), None)
        is_waiting = batch.kind in GROUPS and batch.access.refusal(0) == GROUP
        return (batch.members.added_by or writer) if is_waiting else None
    return next((e.author for e in said if e.author.id > 0 and batch.access.refusal(e.author.id) == STRANGER), None)


def _is_blocked(batch: InboxBatch, author: Author) -> bool:
    return batch.access.tier_of(author.id) is TrustTier.BLOCKED


def _is_asked(asked_at: datetime | None, now: datetime) -> bool:
    return asked_at is not None and now - asked_at < ASKED_AGAIN


async def _leave_group(context: TickContext, batch: InboxBatch, plan: Plan | None) -> Plan:
    """Return the plan with a task that leaves the group. The owner gets a notice of the first such group of a day."""
    log("the agent leaves a group that nobody let in")
    key, owner, owners = context.session.chat.key, batch.access.owner, context.services.owners
    notice = SentOwnerNotice(agent=key.agent, kind="left", at=context.now)
    if owner and owners is not None and await owners.keep_notice(notice):
        theirs = (await context.services.chats.see(ChatKey(agent=key.agent, chat_id=owner))).chat
        words = words_in(theirs.locale.last_language)
        title = quoted(batch.names.title or context.session.chat.title) or str(key.chat_id)
        # a notice with a button is a separate message, so no reply brings the title into the owner's conversation
        groups = NoticeButton(text=words.say("people.show"), command="people", argument="g0")
        word = OwnerNotice(
            agent=key.agent,
            owner=owner,
            of=("left", notice.id),
            text=words.say("decided.group_left", name=title),
            offers=(groups,),
            language=words.language,
        )
        context.session.note(StoredNotice(word.to_outbox(context.now)))
    task = PlannedTask(task=Leave(id=f"leave-{ULID()}"), is_own=True)
    return with_own_tasks(plan, [task], context.now)


def _with_words(now: datetime, plan: Plan | None, phrase: Phrase) -> Plan:
    return with_own_tasks(plan, [PlannedTask(task=own_words(f"access-{ULID()}", phrase), is_own=True)], now)


async def _ask_owner(
    context: TickContext, admission: AccessChecker, batch: InboxBatch, who: Author, plan: Plan | None
) -> Plan | None:
    """Return the plan with a message to the stranger, and note the request to the owner for the next commit."""
    request = _request(context.session, context.now, batch, who)
    before = await admission.requests.find(request.id)
    if before is not None and before.state is RequestState.WAITING and _is_asked(before.at, context.now):
        return plan  # another topic of the group has asked before, or the owner has not decided yet
    context.session.note(StoredAccessRequest(request))
    word = await _word(context, admission, request, batch.access.owner)
    if word is not None:
        context.session.note(StoredNotice(word.to_outbox(context.now)))
    return (
        plan
        if request.is_group
        else _with_words(
            context.now, plan, words_for(batch.targets, batch.languages, context.session.chat).say("access.asked")
        )
    )


def _request(session: Session, now: datetime, batch: InboxBatch, who: Author) -> AccessRequest:
    key = session.chat.key
    said = [e for e in batch.entries if isinstance(e, Message) and e.author.id == who.id and not e.is_service]
    return AccessRequest(
        id=request_id(key),
        agent=key.agent,
        chat=key.id,
        title="" if key.is_of_one else batch.names.title or session.chat.title,
        person=who.id,
        name=who.name,
        username=who.username,
        words=_telling_words(said)[:LONGEST_WORDS],
        at=now,
    )


def _telling_words(said: Sequence[Message]) -> str:
    """Return the text that informs the owner best: the first message without a command, else a command with text.

    In Telegram everybody begins with /start, which says nothing about the person.
    """
    written = [(e, command_in(e.text, e.entities)) for e in said]
    first = next((e.text or e.media for e, command in written if command is None and (e.text or e.media)), "")
    return first or next((e.text for e, command in reversed(written) if command and command.rest.strip()), "")


async def _word(
    context: TickContext, admission: AccessChecker, request: AccessRequest, owner: int
) -> OwnerNotice | None:
    """Return the notice to the owner. If many people wait, this is a summary, or None if one was sent today."""
    owners_chat = (await context.services.chats.see(ChatKey(agent=request.agent, chat_id=owner))).chat
    words = words_in(owners_chat.locale.last_language)
    said = OwnerNotice(agent=request.agent, owner=owner, language=words.language, of=("access",), text=SILENCE)
    if await admission.requests.waiting_count(request.agent) < MOST_TOLD:
        of = ("access", request.id, request.at.isoformat())
        text, buttons = question(words, request), (*offers(words, request), *offers_to_show(words, request))
        return replace(said, of=of, text=text, offers=buttons, about=request.person)
    notice = SentOwnerNotice(agent=request.agent, kind="requests", at=context.now)
    if context.services.owners is None or not await context.services.owners.keep_notice(notice):
        return None
    return replace(said, of=("access", notice.id), text=words.say("access.many", most=MOST_TOLD))


def _words(session: Session, batch: InboxBatch) -> Words:
    return words_for(batch.targets, batch.languages, session.chat)
