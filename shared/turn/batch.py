"""A batch: the updates that one round of a tick reads at once, as entries, with a decision on each message."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from shared.base.text import shift_entities
from shared.commands.command import Audience, Permission
from shared.commands.parse import CommandInvocation, command_alone, command_of, command_pressed, marked_command
from shared.deciding.access_policy import OPEN, AccessPolicy
from shared.deciding.circumstances import DecisionContext
from shared.telegram.inbound.entries import ChatNames, MemberChanges, Migration, ParsedUpdate
from shared.turn.choosing import ButtonChoice
from shared.turn.console_acts import NO_ACTS, ConsoleActs, acts_in
from shared.turn.hearing import as_heard, heard_messages
from shared.turn.hearing import decide_heard as decided_by
from shared.turn.orders import ordered_commands, updates_until
from shared.turn.revival import (
    admitted_messages,
    as_edited,
    is_admission,
    mark_answered_edit,
    resolve_waits,
    revived_messages,
)
from shared.turn.situation import ChatSituation
from shared.values.chat import Chat
from shared.values.chat_key import ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, ButtonPress, Edit, MediaDescribed, Message
from shared.values.trust import TrustTier
from shared.values.update import InboxUpdate

#: the reason in the decision on a message that is not answered because of /stop
STOPPED_REASON = "stopped before it was answered"


@dataclass(frozen=True, kw_only=True)
class InboxBatch:
    """A batch of updates: their ids, the entries made of them, and the changes to the chat that they report."""

    update_ids: tuple[int, ...]
    entries: tuple[AnyEntry, ...]
    kind: ChatKind
    names: ChatNames = field(default=ChatNames())
    #: earlier messages that need an answer only now, for example because they were edited or their album grew
    revived: tuple[Message, ...] = ()
    #: the commands, which lull answers without the model, oldest first
    commands: tuple[tuple[Message | ButtonPress, CommandInvocation], ...] = field(default=())
    #: the button presses that choose something; each of them is also an entry, in the form of a message
    choices: tuple[ButtonChoice, ...] = ()
    members: MemberChanges = field(default=MemberChanges())
    #: the updates that report that people joined or left
    moves: tuple[ParsedUpdate, ...] = ()
    migration: Migration = field(default=Migration())
    #: by update id, the language of its author, if known; and below, the language of the last author's messages
    languages: Mapping[int, str] = field(default_factory=dict)
    spoken: str = ""
    #: the rules for who may be answered here
    access: AccessPolicy = OPEN
    #: ids of messages that are known not to be channel posts
    no_posts: frozenset[int] = frozenset()
    #: the id of the update whose text begins the next conversation (`/new` followed by text); None if there is none
    said_next: int | None = None
    #: what orders of the console ask for, besides commands
    acts: ConsoleActs = NO_ACTS

    @property
    def question(self) -> Message | None:
        """The newest message with text that the model answers, other than a due reminder; None if there is none."""
        written = (
            one for one in reversed(self.targets) if one.text and one.reminder is None and one.decision is not None
        )
        return next(written, None)

    @property
    def read_ids(self) -> tuple[int, ...]:
        """The ids of the updates to mark as read. `/new hello` is not among them: the next batch reads `hello`."""
        return tuple(one for one in self.update_ids if one != self.said_next)

    @property
    def is_admitted(self) -> bool:
        """Whether the owner has allowed the waiting messages to be answered."""
        return self.access.is_admitted and any(map(is_admission, self.entries))

    def chat_after(self, chat: Chat) -> Chat:
        """Return the chat with the changes that the batch reports: names, languages, whether the agent is blocked."""
        is_said = any(isinstance(one, Message) and not one.author.is_agent for one in self.entries)
        # if a person writes, the agent is not blocked any more, even if the update that says so was lost
        told = self.members.was_removed
        is_blocked = (chat.access.is_blocked and not is_said) if told is None else told
        return evolve(
            chat,
            access=evolve(
                chat.access,
                is_blocked=is_blocked and chat.key.is_private,
                is_turned_away=self.access.turns_away,
                direct_person=self.access.chat_id if chat.key.is_direct else 0,
            ),
            title=self.names.title or chat.title,
            topic=self.names.topic or chat.topic or self.names.first_topic,
            locale=evolve(
                chat.locale,
                last_language=self.languages[max(self.languages)] if self.languages else chat.locale.last_language,
                spoken_language=(self.spoken if self.kind.is_of_one else "") or chat.locale.spoken_language,
            ),
        )

    @property
    def targets(self) -> tuple[Message, ...]:
        """The messages that the model answers, oldest first."""
        commands = {entry.message_id for entry, _ in self.commands if isinstance(entry, Message)}
        messages = (entry for entry in self.entries if isinstance(entry, Message))
        called = (m for m in messages if m.decision is not None and m.decision.respond)
        return tuple(m for m in (*self.revived, *called) if m.message_id not in commands)

    @property
    def thread(self) -> int:
        """If the last message to be answered is a comment on a channel post, the id of that post; else 0.

        A thread whose first message is too old to be known is assumed to consist of comments on a channel post.
        """
        thread = self.targets[-1].thread if self.targets else 0
        return thread if thread not in self.no_posts else 0

    @property
    def is_stopped(self) -> bool:
        """Whether one of the commands ends the plan: /stop, /new or /mute."""
        return any(command.ends_plan for _, command in self.commands)

    @property
    def was_silenced(self) -> bool:
        """Whether a stop request in this batch keeps a message from being answered."""
        decisions = (e.decision for e in self.entries if isinstance(e, Message))
        return any(decision is not None and decision.reason == STOPPED_REASON for decision in decisions)

    def calls_for_another_plan(self, earlier: "InboxBatch") -> bool:
        """Return whether the entries that are not in `earlier`, a smaller batch, require another plan.

        Another plan is required if there are more messages to answer, or if a person who is being answered wrote
        another message or edited the question.
        """
        asking = {m.author.id for m in earlier.targets}
        asked = {m.message_id for m in earlier.targets}
        newer = [e for e in self.entries if not set(e.updates) <= set(earlier.update_ids)]
        wrote_on = any(isinstance(e, Message) and e.author.id in asking for e in newer)
        changed = any(isinstance(e, Edit) and e.message_id in asked for e in newer)
        return len(self.targets) > len(earlier.targets) or wrote_on or changed


def people_of(batch: InboxBatch) -> tuple[int, ...]:
    """Return the ids of the people whose messages are answered, without repetitions."""
    return tuple(dict.fromkeys(message.author.id for message in batch.targets))


def read_batch(updates: Sequence[InboxUpdate], situation: ChatSituation) -> InboxBatch:
    """Read a batch from the updates of one chat.

    Commands take precedence: messages before a stop request are not answered. Updates after a command that changes the
    conversation are left for the next batch, since they belong to the next conversation.
    """
    situation = situation.with_choices(updates)
    batch = _read(updates, situation)
    if not batch.commands:
        return batch
    if batch.is_stopped:
        ends = [(entry, command) for entry, command in batch.commands if command.ends_plan]
        end, command = next((one for one in ends if one[1].changes_conversation), ends[-1])
        until = stop_batch(_read(updates_until(updates, end, command), situation))
        return _without_rest(until, end) if command.says_rest else until
    commands = {update_id for entry, _ in batch.commands for update_id in entry.updates}
    return _read([u for u in updates if u.envelope.update_id in commands], situation)


def _without_rest(batch: InboxBatch, command: Message | ButtonPress) -> InboxBatch:
    """Return the batch with the last command's update reduced to the command; the text after it is left unread."""
    own = command.updates
    entries = (command_alone(e) if isinstance(e, Message) and e.updates == own else e for e in batch.entries)
    return replace(batch, entries=tuple(entries), said_next=own[0])


def _read(updates: Sequence[InboxUpdate], situation: ChatSituation) -> InboxBatch:
    read = situation.read(updates)
    kind = next((one.chat_kind for one in reversed(read) if one.chat_kind is not ChatKind.NONE), situation.kind)
    entries = with_albums(situation.as_said(one.entry) for one in read if situation.is_in_transcript(one))
    given = circumstances_of(kind, entries, situation)
    resolved = resolve_waits(entries, given, situation)
    entries = (*(e for e in entries if not isinstance(e, MediaDescribed)), *resolved.told)
    albums = album_heads(situation.window)
    decided = tuple(_decide_entries(entries, albums, given, situation))
    again = (
        *revived_messages(entries, albums, given, situation),
        *resolved.called,
        *admitted_messages(entries, given, situation),
    )
    commands = tuple(_commands((*decided, *resolved.called), read, given, situation))
    written = {entry.message_id: one.carries_code for entry, one in commands if isinstance(entry, Message)}
    batch = InboxBatch(
        update_ids=tuple(one.update_id for one in read),
        entries=tuple(situation.as_begun(mark_answered_edit(marked_command(e, written), again)) for e in decided),
        kind=kind,
        names=_names(read),
        revived=again,
        commands=commands,
        choices=situation.made_in(read),
        members=_members([one.members for one in read]),
        moves=tuple(one for one in read if one.members.come or one.members.gone),
        migration=_migration([one.migration for one in read]),
        languages={one.update_id: one.language for one in read if one.language},
        spoken=_last(one.spoken for one in read),
        access=situation.access,
        no_posts=frozenset(m.message_id for m in given.earlier if not m.is_post),
        acts=acts_in(read, situation.access, situation.talk.keyboards, situation.window),
    )
    return with_unanswered(batch, situation)


def _decide_entries(
    entries: Sequence[AnyEntry], albums: dict[str, Message], given: DecisionContext, situation: ChatSituation
) -> Iterator[AnyEntry]:
    latest = {e.message_id: e for e in entries if isinstance(e, Edit)}
    for e in entries:
        if isinstance(e, Message):
            made = _decision(e, latest.get(e.message_id), albums, (given, situation))
            yield evolve(e, decision=made) if made is not None else e
        else:
            yield e


def _names(read: Sequence[ParsedUpdate]) -> ChatNames:
    return ChatNames(
        title=_last(one.names.title for one in read),
        topic=_last(one.names.topic for one in read),
        first_topic=_last(one.names.first_topic for one in read),
    )


def _members(told: Sequence[MemberChanges]) -> MemberChanges:
    return MemberChanges(
        # if the agent was removed and added again, the last update counts
        was_removed=next((one.was_removed for one in reversed(told) if one.was_removed is not None), None),
        added_by=next((one.added_by for one in reversed(told) if one.added_by is not None), None),
        come=tuple(dict.fromkeys(person for one in told for person in one.come)),
        joined=tuple(dict.fromkeys(person for one in told for person in one.joined)),
        gone=tuple(dict.fromkeys(person for one in told for person in one.gone)),
    )


def _migration(told: Sequence[Migration]) -> Migration:
    return Migration(
        to_chat=next((one.to_chat for one in told if one.to_chat), None),
        from_chat=next((one.from_chat for one in told if one.from_chat), None),
    )


def _last(names: Iterable[str]) -> str:
    """Return the last name that is not empty; "" if all are."""
    return next((name for name in reversed(list(names)) if name), "")


def with_unanswered(batch: InboxBatch, situation: ChatSituation) -> InboxBatch:
    """Return the batch. If it needs a plan, add earlier messages whose unsent answers the new plan will replace."""
    if not batch.targets:
        return batch
    known = {e.message_id: e for e in situation.window if isinstance(e, Message)}
    unanswered = situation.unanswered_by(people_of(batch))
    found = {i: known[i] for i in sorted(unanswered) if i in known} | {m.message_id: m for m in batch.revived}
    return replace(batch, revived=tuple(found[i] for i in sorted(found)))


def _decision(
    message: Message, edit: Edit | None, albums: dict[str, Message], where: tuple[DecisionContext, ChatSituation]
) -> Decision:
    """Decide whether to answer a message in its current form. Only one part of an album is answered."""
    if message.decision is not None:  # for a button press, this was decided when the button was offered
        return message.decision
    given, situation = where
    decision = decided_by(as_edited(message, edit), given, situation.files.describing)
    head = albums.get(message.album_id) if message.album_id else None
    if head is not None and head.decision is not None and (head.decision.respond or not message.text):
        return Decision(respond=False, reason="a later part of an album", tier=DecisionTier.NONE)
    return decision


def circumstances_of(kind: ChatKind, entries: Sequence[AnyEntry], situation: ChatSituation) -> DecisionContext:
    """Return the circumstances in which the decisions on the messages of a batch are made."""
    earlier = heard_messages((*situation.window, *entries))
    return DecisionContext(
        kind=kind,
        me=situation.me,
        decision_settings=situation.decision_settings,
        is_muted=situation.is_muted,
        earlier=earlier,
        access=situation.access,
    )


def _commands(
    entries: Sequence[AnyEntry], read: Sequence[ParsedUpdate], given: DecisionContext, situation: ChatSituation
) -> Iterator[tuple[Message | ButtonPress, CommandInvocation]]:
    languages = {one.update_id: one.language for one in read}
    for entry in entries:
        command = _command(entry, given) if situation.talk.begun_by not in entry.updates else None
        if command is not None and isinstance(entry, Message | ButtonPress) and entry.updates:
            permission = _permission(command, entry, given.kind, situation)
            if command.says_rest and not (isinstance(entry, Message) and entry.text):
                command = replace(command, argument="")  # no text follows the command
            language = languages.get(entry.updates[0], "") or situation.locale.last_language
            yield entry, replace(command, permission=permission, language=language)
    yield from ordered_commands(read, given.access, situation.conversation)


def _command(entry: AnyEntry, given: DecisionContext) -> CommandInvocation | None:
    if not isinstance(entry, Message | ButtonPress):
        return None
    command = command_pressed(entry) if isinstance(entry, ButtonPress) else command_of(as_heard(entry), given)
    if command is None or not command.is_heard(entry.author.id, given.access, is_muted=given.is_muted):
        return None
    is_unheard = given.is_muted and command.command is None and not isinstance(entry, ButtonPress)
    return None if is_unheard else command


def _permission(
    invocation: CommandInvocation, entry: Message | ButtonPress, kind: ChatKind, situation: ChatSituation
) -> Permission:
    declared = invocation.command
    if situation.is_for_others(entry):
        return Permission.DENIED
    if declared is not None and declared.audience is Audience.OWNER:
        is_owner = situation.access.tier_of(entry.author.id) is TrustTier.OWNER
        return Permission.GRANTED if is_owner else Permission.DENIED
    if kind.is_of_one or not invocation.is_for_administrators:
        return Permission.GRANTED
    return situation.permissions.get(entry.author.id, Permission.UNKNOWN)


def _is_to_come(decision: Decision | None) -> bool:
    return decision is not None and (decision.respond or decision.tier is DecisionTier.WAIT)


def stop_batch(batch: InboxBatch) -> InboxBatch:
    """Return the batch with no messages to answer; its commands remain."""
    commands = {entry.message_id for entry, _ in batch.commands if isinstance(entry, Message)}
    silence = Decision(respond=False, reason=STOPPED_REASON, tier=DecisionTier.NONE)
    entries = tuple(
        evolve(e, decision=silence)
        if isinstance(e, Message) and e.message_id not in commands and _is_to_come(e.decision)
        else e
        for e in batch.entries
    )
    return replace(batch, entries=entries, revived=())


def with_albums(entries: Iterable[AnyEntry]) -> tuple[AnyEntry, ...]:
    """Return the entries in order, but each album as one message, even if other people wrote between its parts."""
    whole: list[AnyEntry] = []
    begun: dict[str, int] = {}
    for entry in entries:
        album = entry.album_id if isinstance(entry, Message) else ""
        if album in begun:
            whole[begun[album]] = _join_album(whole[begun[album]], entry)
            continue
        if album:
            begun[album] = len(whole)
        whole.append(entry)
    return tuple(whole)


def album_heads(window: Sequence[AnyEntry]) -> dict[str, Message]:
    """Return, for each album, the part that stands for it: the part that was answered, else the first part."""
    heads: dict[str, Message] = {}
    for entry in window:
        if isinstance(entry, Message) and entry.album_id:
            head = heads.setdefault(entry.album_id, entry)
            if _is_called(entry) and not _is_called(head):
                heads[entry.album_id] = entry
    return heads


def _join_album(album: AnyEntry, part: AnyEntry) -> Message:
    assert isinstance(album, Message)
    assert isinstance(part, Message)
    before = f"{album.text}\n" if album.text and part.text else album.text
    return evolve(
        album,
        updates=album.updates + part.updates,
        media_refs=album.media_refs + part.media_refs,
        text=before + part.text,
        entities=album.entities + shift_entities(part.entities, before),
        holds_outside=album.holds_outside or part.holds_outside or part.is_of_others_words,
        is_worded_elsewhere=album.is_worded_elsewhere or part.is_worded_elsewhere or part.is_of_others_words,
        media=f"an album of {len(album.updates) + len(part.updates)}",
    )


def _is_called(message: Message) -> bool:
    return message.decision is not None and message.decision.respond
