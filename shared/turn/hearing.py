"""Hearing: a voice message counts as what is said in it, once that is known; until then its message waits.

Pure: which messages wait, for what, and how they read when it came.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.base.text import Entity, EntityType, command_in
from shared.deciding.addressing import written_command
from shared.deciding.circumstances import DecisionContext
from shared.deciding.rules import decide_in, reason_for_silence
from shared.values.capabilities import WORDS_ONLY, Capabilities
from shared.values.decision import Decision, DecisionTier
from shared.values.described import descriptions_in, spoken_text, with_descriptions
from shared.values.evolve import evolve
from shared.values.media import SPOKEN, Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import AnyEntry, Edit, MediaDescribed, Message
from shared.values.showing import FileLimits, file_key, keys_shown

WAITS = "waits for what its file says"
NOT_YET = "what it shows or says is not known yet"


@dataclass(frozen=True, kw_only=True)
class DescribingOptions:
    """Whether and how files are described here."""

    #: until when a message waits that is read now; none: nobody describes, and nothing waits
    until: datetime | None = None
    #: what the model that plans is shown of files itself, and how much: for that no message waits
    planner: Capabilities = WORDS_ONLY
    limits: FileLimits = field(default=FileLimits())
    #: files of one message that are described at once; for what is beyond, which comes later, no message waits
    most: int = 10


NOT_DESCRIBING = DescribingOptions()


def as_heard(message: Message) -> Message:
    """The message as if its author had written what they say in it. A command that is spoken is one."""
    said = spoken_text(message)
    if not said:
        return message
    text = f"{message.text}\n{said}" if message.text else said
    spoken = () if message.text else tuple(_spoken_command(said))
    return evolve(message, text=text, entities=(*message.entities, *spoken))


def _spoken_command(said: str) -> Iterable[Entity]:
    first = said.split(maxsplit=1)[0].rstrip(".,!?…") if said.strip() else ""
    entity = Entity(type=EntityType.BOT_COMMAND, offset=0, length=len(first))
    if first and said.startswith(first) and command_in(first, (entity,)) is not None:
        yield entity


def heard_messages(entries: Sequence[AnyEntry]) -> tuple[Message, ...]:
    """The messages among some entries, as far as they were heard by now; none twice."""
    known = descriptions_in(entries)
    return tuple(as_heard(with_descriptions(one, known)) for one in entries if isinstance(one, Message))


def decide_heard(message: Message, given: DecisionContext, how: DescribingOptions) -> Decision:
    """Whether to answer a message; one whose file has to be described first waits, and is decided on again then."""
    decision = decide_in(as_heard(message), given)
    if how.until is None or reason_for_silence(message, given) or message.author.is_bot or written_command(message):
        return decision
    unknown = [ref for ref in _soon_described(message, how) if ref.description is None]
    is_spoken = any(ref.kind in SPOKEN for ref in unknown)
    shown = keys_shown(list(_awaited_files(message)), how.planner, how.limits)
    is_hidden = any(file_key(ref) not in shown for ref in unknown)
    if is_spoken or (decision.respond and is_hidden):
        return Decision(respond=False, reason=WAITS, tier=DecisionTier.WAIT, until=how.until)
    return decision


def waiting_in(entries: Sequence[AnyEntry]) -> tuple[Message, ...]:
    """The messages that still wait, oldest first, with what is known of their files by now."""
    known = descriptions_in(entries)
    over = {i for e in entries if isinstance(e, MediaDescribed) and e.decision is not None for i in e.message_ids}
    over |= {e.message_id for e in entries if isinstance(e, Edit) and e.decision is not None and e.decision.respond}
    waiting = (e for e in entries if isinstance(e, Message) and e.message_id not in over and _waits(e))
    return tuple(with_descriptions(message, known) for message in waiting)


def _waits(message: Message) -> bool:
    return message.decision is not None and message.decision.tier is DecisionTier.WAIT


def is_complete(message: Message, how: DescribingOptions = NOT_DESCRIBING) -> bool:
    """Whether all is known of its files that will be soon."""
    return all(ref.description is not None for ref in _soon_described(message, how))


def _soon_described(message: Message, how: DescribingOptions) -> Sequence[MediaRef]:
    """The files that are described as soon as the message came: first those in which somebody speaks."""
    return sorted(_awaited_files(message), key=lambda ref: ref.kind not in SPOKEN)[: how.most]


def _awaited_files(message: Message) -> Iterator[MediaRef]:
    """The files whose description may be waited for: an emoji tells enough by itself."""
    return (ref for ref in message.media_refs if ref.unique_id and ref.kind is not MediaKind.CUSTOM_EMOJI)


def decide_now(message: Message, given: DecisionContext) -> Decision:
    """Whether to answer a message that waited: its time is over, or all is known of its files."""
    return decide_in(evolve(as_heard(message), decision=None), given)


def unheard_entries(message: Message, at: datetime, decision: Decision) -> Iterator[MediaDescribed]:
    """What is told of a message that waits no more, though not all is known of its files; at least one entry."""
    not_yet = Description(outcome=DescriptionOutcome.TEMPORARY_FAILURE, why=NOT_YET)
    files = [(ref.kind, ref.unique_id, ref.description) for ref in _awaited_files(message)]
    for kind, unique_id, known in files or [(MediaKind.DOCUMENT, "", None)]:
        yield MediaDescribed(
            at=at,
            message_ids=(message.message_id,),
            kind=kind,
            unique_id=unique_id,
            description=known or not_yet,
            decision=decision,
        )
