"""The situation in which a batch is read: the agent's identity in the chat, earlier messages, and the standing plan."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self

from shared.commands.command import Permission
from shared.commands.parse import rest_alone
from shared.deciding.access_policy import OPEN, AccessPolicy
from shared.deciding.circumstances import DecisionSettings, OwnIdentity
from shared.tasks.graph import origin_of
from shared.tasks.plan import Plan, PlannedTask
from shared.telegram.inbound.entries import ParsedUpdate, entry_of, read_update
from shared.turn.choosing import ButtonChoice, choices_in, is_for_others
from shared.turn.console_acts import press_ordered
from shared.turn.hearing import NOT_DESCRIBING, DescribingOptions
from shared.turn.language import with_languages
from shared.turn.orders import is_owners
from shared.turn.promises import kept_promises
from shared.values.canary import CANARY
from shared.values.chat import CurrentConversation, Locale
from shared.values.chat_key import ChatKind
from shared.values.console_order import CONSOLE_ORDER, order_in
from shared.values.decision import Decision, DecisionTier
from shared.values.described import with_descriptions
from shared.values.evolve import evolve
from shared.values.media import Description
from shared.values.message import AnyEntry, ButtonPress, Edit, Event, MediaDescribed, Message
from shared.values.reference import MEDIA_DESCRIBED
from shared.values.update import InboxUpdate


@dataclass(frozen=True, kw_only=True)
class AwaitedFiles:
    """The known descriptions of the updates' files, and the messages that wait for descriptions."""

    #: the descriptions by the files' unique ids
    known: Mapping[str, Description] = field(default_factory=dict)
    #: the options for describing the other files
    describing: DescribingOptions = NOT_DESCRIBING
    #: the messages that wait for descriptions, with the descriptions known so far
    waiting: Sequence[Message] = ()


@dataclass(frozen=True, kw_only=True)
class ChatSituation:
    """The situation in which a batch is read: the agent, the earlier messages, and the standing plan."""

    me: OwnIdentity
    #: the rules for who may be answered here
    access: AccessPolicy = OPEN
    decision_settings: DecisionSettings = field(default_factory=DecisionSettings)
    is_muted: bool = False
    window: Sequence[AnyEntry] = ()
    standing: Plan | None = None
    #: by person id, whether people who sent administrators' commands may do so
    permissions: Mapping[int, Permission] = field(default_factory=dict)
    #: by update id, the choices that people made by pressing buttons
    choices: Mapping[int, ButtonChoice] = field(default_factory=dict)
    files: AwaitedFiles = field(default=AwaitedFiles())
    #: the kind of the chat, used if no update tells it
    kind: ChatKind = ChatKind.NONE
    now: datetime | None = None
    #: the id of the current conversation; empty if there is none
    conversation: str = ""
    talk: CurrentConversation = field(default=CurrentConversation())
    locale: Locale = field(default=Locale())

    def read(self, updates: Sequence[InboxUpdate]) -> list[ParsedUpdate]:
        """Return the contents of the updates, each with the language of its author."""
        found = [read_update(update, self.me.bot_id) for update in updates]
        return with_languages(found, self.window, self.locale.chosen_language, self.locale.spoken_language)

    def with_choices(self, updates: Sequence[InboxUpdate]) -> Self:
        """Return the situation with the choices in all these updates.

        Pass all unread updates, even if only some are read now: only the first press on a keyboard counts, and which
        press is the first must not depend on how many updates are read.
        """
        presses = (u for u in updates if self.talk.keyboards and u.envelope.kind == "callback_query")
        entries = (entry_of(u, self.me.bot_id) for u in presses)
        pressed = (*entries, *self._ordered_presses(updates))
        made = choices_in((one for one in pressed if not self.is_refused(one)), self.talk.keyboards)
        return replace(self, choices=made)

    def _ordered_presses(self, updates: Sequence[InboxUpdate]) -> Iterator[ButtonPress]:
        """Yield a button press for each order by which the owner accepted an offer in the console."""
        for update in updates if self.talk.keyboards else ():
            order = order_in(update)
            if order is not None and is_owners(order, self.access):
                at, number = update.received_at, update.envelope.update_id
                if press := press_ordered(order, number, at, self.talk.keyboards, self.window):
                    yield press

    def is_in_transcript(self, read: ParsedUpdate) -> bool:
        """Return whether an update belongs in the transcript. Of console orders, only accepted offers belong there."""
        return read.update_id in self.choices or is_in_transcript(read)

    def is_refused(self, entry: AnyEntry) -> bool:
        """Return whether the entry is by a person who may not be answered here."""
        return isinstance(entry, Message | ButtonPress | Edit) and bool(self.access.refusal(entry.author.id))

    def made_in(self, read: Sequence[ParsedUpdate]) -> tuple[ButtonChoice, ...]:
        """Return the choices that people made by these updates; other presses are left out."""
        return tuple(self.choices[one.update_id] for one in read if one.update_id in self.choices)

    def as_said(self, entry: AnyEntry) -> AnyEntry:
        """Return the entry in the form that a batch uses: a choice becomes a message of the person who made it."""
        choice = next((self.choices[one] for one in entry.updates if one in self.choices), None)
        if choice is not None:
            return choice.as_message(self.window, self.me)
        if isinstance(entry, MediaDescribed):
            return self._as_told(entry)
        if isinstance(entry, Edit):
            known = with_descriptions(entry, self.files.known)
            # the edits and messages of people who may not be answered are never shown to a model
            refused = "" if entry.author.is_agent else self.access.refusal(entry.author.id)
            decision = Decision(respond=False, reason=refused, tier=DecisionTier.ACCESS) if refused else entry.decision
            return evolve(known, decision=decision)
        return with_descriptions(self._with_mark(entry), self.files.known) if isinstance(entry, Message) else entry

    def _with_mark(self, message: Message) -> Message:
        """Return the message. If it quotes the agent, the quote says whether the quoted text is known to be trusted."""
        quote = message.reply
        if quote is None or quote.author is None or not quote.author.is_agent:
            return message
        unmarked = evolve(quote, is_unmarked=self.talk.own_marks.excludes(quote.message_id))
        return evolve(message, reply=unmarked)

    def _as_told(self, entry: MediaDescribed) -> MediaDescribed | Event:
        """Return the description, but only for those messages for which this conversation has not reported it yet.

        If no message remains, or if the description belongs to another conversation, return an empty event.
        """
        nothing = Event(at=entry.at, updates=entry.updates, kind=MEDIA_DESCRIBED)
        if self.conversation and entry.conversations and self.conversation not in entry.conversations:
            return nothing
        of_file = self._as_known_here(entry)
        untold = tuple(one for one in of_file.message_ids if not self._is_told(of_file, one))
        if of_file.message_ids and not untold:
            return nothing
        told = evolve(of_file, message_ids=untold)
        return evolve(told, is_with_message=self.is_unseen(told))

    def _as_known_here(self, entry: MediaDescribed) -> MediaDescribed:
        """Return the entry. Message ids from before the group was a supergroup are replaced by the current ids."""
        sent = (e for e in self.window if isinstance(e, Message) and abs(e.message_id) in entry.message_ids)
        ids = [e.message_id for e in sent if any(ref.unique_id == entry.unique_id for ref in e.media_refs)]
        return evolve(entry, message_ids=tuple(ids)) if ids else entry

    def _is_told(self, entry: MediaDescribed, message_id: int) -> bool:
        """Return whether the same description was already reported for a message's file.

        If a file is sent twice and described in between, the second message already has the description. The update
        with the description comes a moment later, and names both messages.
        """
        told: list[Description | None] = []
        for earlier in self.window:
            if isinstance(earlier, MediaDescribed) and message_id in earlier.message_ids:
                told += [earlier.description] if earlier.unique_id == entry.unique_id else []
            elif isinstance(earlier, Message) and earlier.message_id == message_id:
                told += [ref.description for ref in earlier.media_refs if ref.unique_id == entry.unique_id]
        new = entry.description
        return any(one is not None and (one.outcome, one.why) == (new.outcome, new.why) for one in told)

    def is_unseen(self, entry: MediaDescribed) -> bool:
        """Return whether no model has been shown a message with the file that `entry` describes."""
        seen = (e.seq for e in self.window if isinstance(e, Message) and e.message_id in entry.message_ids)
        return all(seq > self.talk.shown_seq for seq in seen)

    def as_begun(self, entry: AnyEntry) -> AnyEntry:
        """Return the entry. If it contains the command that began this conversation, keep only the text after the
        command. This text needs an answer unless the agent is muted.
        """
        if not isinstance(entry, Message) or self.talk.begun_by not in entry.updates:
            return entry
        decision = Decision(respond=True, reason="begins a conversation", tier=DecisionTier.EXPLICIT)
        return rest_alone(entry).model_copy(update={} if self.is_muted else {"decision": decision})

    def is_for_others(self, entry: AnyEntry) -> bool:
        """Return whether somebody pressed a button that was not offered to them."""
        return isinstance(entry, ButtonPress) and is_for_others(entry, self.talk.keyboards)

    def unanswered_by(self, people: Collection[int]) -> frozenset[int]:
        """Return the ids of the messages that a new plan for `people` must answer too: all unanswered messages if the
        plan replaces any task of the standing plan, otherwise none.
        """
        if self.standing is None:
            return frozenset()
        stays = {planned.kept_from for planned in kept_promises(self.standing, people)}
        goes = (t for t in self.standing.tasks if _is_of_model(t) and origin_of(self.standing, t) not in stays)
        return self.unanswered_ids if any(goes) else frozenset()

    @property
    def unanswered_ids(self) -> frozenset[int]:
        """The ids of messages whose answer is planned, if no part of the plan was sent yet."""
        if self.standing is None or self.standing.is_begun or not any(_is_of_model(t) for t in self.standing.tasks):
            return frozenset()
        return frozenset(self.standing.answers)


def _is_of_model(planned: PlannedTask) -> bool:
    return planned.is_open and planned.is_fresh


def is_in_transcript(read: ParsedUpdate) -> bool:
    """Return whether an update belongs in the transcript. Test updates, console orders and repetitions do not."""
    is_own = isinstance(read.entry, Event) and read.entry.kind in {CANARY, CONSOLE_ORDER}
    return not is_own and not read.repeats_place
