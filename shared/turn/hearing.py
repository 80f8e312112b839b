"""Voice messages: the words said in them count as their text. A message waits until these words are known.

The functions are pure. They determine which messages wait, for which files, and what text the messages have afterwards.
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
    """Options for describing files: until when messages wait for a description, and which files are described."""

    #: the time at which the wait of a message that is read now ends; None if files are not described
    until: datetime | None = None
    #: the kinds of file that the planning model accepts as they are; no message waits for their description
    planner: Capabilities = WORDS_ONLY
    limits: FileLimits = field(default=FileLimits())
    #: the maximum number of a message's files that are described at once; no message waits for the others
    most: int = 10


NOT_DESCRIBING = DescribingOptions()


def as_heard(message: Message) -> Message:
    """Return the message with the words said in it added to its text. A spoken command counts as a command."""
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
    """Return the messages among these entries. Known words of voice messages are added to their texts."""
    known = descriptions_in(entries)
    return tuple(as_heard(with_descriptions(one, known)) for one in entries if isinstance(one, Message))


def decide_heard(message: Message, given: DecisionContext, how: DescribingOptions) -> Decision:
    """Decide whether to answer a message. If a file must be described first, the message waits instead."""
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
    """Return the messages that are still waiting, oldest first, with the descriptions that are known so far."""
    known = descriptions_in(entries)
    over = {i for e in entries if isinstance(e, MediaDescribed) and e.decision is not None for i in e.message_ids}
    over |= {e.message_id for e in entries if isinstance(e, Edit) and e.decision is not None and e.decision.respond}
    waiting = (e for e in entries if isinstance(e, Message) and e.message_id not in over and _waits(e))
    return tuple(with_descriptions(message, known) for message in waiting)


def _waits(message: Message) -> bool:
    return message.decision is not None and message.decision.tier is DecisionTier.WAIT


def is_complete(message: Message, how: DescribingOptions = NOT_DESCRIBING) -> bool:
    """Return whether all files of the message that are described on arrival have their descriptions."""
    return all(ref.description is not None for ref in _soon_described(message, how))


def _soon_described(message: Message, how: DescribingOptions) -> Sequence[MediaRef]:
    """Return the files that are described when the message arrives: at most `how.most`, those with speech first."""
    return sorted(_awaited_files(message), key=lambda ref: ref.kind not in SPOKEN)[: how.most]


def _awaited_files(message: Message) -> Iterator[MediaRef]:
    """Yield the files for whose description the message may wait. Custom emoji are left out."""
    return (ref for ref in message.media_refs if ref.unique_id and ref.kind is not MediaKind.CUSTOM_EMOJI)


def decide_now(message: Message, given: DecisionContext) -> Decision:
    """Decide whether to answer a message whose wait is over, with the words that are known by now."""
    return decide_in(evolve(as_heard(message), decision=None), given)


def unheard_entries(message: Message, at: datetime, decision: Decision) -> Iterator[MediaDescribed]:
    """Yield entries that end a message's wait: one for each awaited file, or one without a file if there is none."""
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
