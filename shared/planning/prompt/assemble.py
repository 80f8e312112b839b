"""Assemble a prompt. Stable texts come first, since cached tokens at a prompt's beginning cost a tenth of the price."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from shared.planning.prompt.closing import closing_part
from shared.planning.prompt.history import HistoryEvent, HistoryItem, HistoryMessage, history_of
from shared.planning.prompt.layers import (
    LEAST_CONVERSATION,
    PromptLayer,
    asker_memory_blocks,
    conversation_budget,
    layer_budgets,
    memory_blocks,
    messages_budget,
    recalled_blocks,
    summary_blocks,
)
from shared.planning.prompt.lines import PromptLine, prompt_turns_of, user_turn
from shared.planning.prompt.messages import shorten
from shared.planning.prompt.meta import place_header
from shared.planning.prompt.origins import ATTACHED, PLANNED_AFTER, SUMMARY
from shared.planning.prompt.scene import Scene, system_of, tokens_of
from shared.planning.prompt.selection import Selection, select
from shared.values.described import textless_files
from shared.values.evolve import evolve
from shared.values.origin import NOT_YET_SEEN, OWN, UNSEEN, Passage, TextOrigin, TextSource
from shared.values.prompt import (
    Headroom,
    Prompt,
    PromptRecord,
    PromptSize,
    PromptTurn,
    TurnRole,
    declared_characters,
)
from shared.values.prompt_format import PromptFormat

UNSHOWN = "(what was said before this is not shown)"


def scene_and_prompt(scene: Scene) -> tuple[Scene, Prompt]:
    """Return the scene and its prompt. Untrusted text in the prompt can make tasks wait for a button press. In this
    case, the scene and the prompt record which kinds of untrusted text are shown.
    """
    prompt = assemble_prompt(scene)
    told = tuple(what for what in prompt.outside if what not in NOT_YET_SEEN)
    if not told or not scene.offer.waiting:
        return scene, prompt
    scene = replace(scene, outside=told)
    return scene, assemble_prompt(scene)


def assemble_prompt(scene: Scene) -> Prompt:
    """Assemble the prompt for one plan.

    By lull's estimate, the prompt with the tools never exceeds `scene.room.max_tokens`, unless the instructions and
    the closing part alone leave too little for a conversation. Some part of the newest message to be answered is always
    shown.
    """
    system, ending = system_of(scene), _last_texts(scene)
    fixed = _fixed_characters(system, ending)
    selection = select(scene, messages_budget(scene, fixed))
    immediate = selection.immediate
    recent = frozenset(range(len(selection.lines))) - immediate
    messages = {PromptLayer.IMMEDIATE: selection.length_of(immediate), PromptLayer.RECENT: selection.length_of(recent)}
    budgets = layer_budgets(scene, fixed, messages, selection.length_of(selection.targets), selection.least)
    shown = selection.lines_to_show(budgets[PromptLayer.IMMEDIATE], budgets[PromptLayer.RECENT])
    long_ago, so_far = summary_blocks(scene, budgets[PromptLayer.SUMMARIES])
    personal = asker_memory_blocks(scene, budgets[PromptLayer.FACTS])
    facts = memory_blocks(scene, budgets[PromptLayer.FACTS] - sum(map(len, personal)))
    relevant = recalled_blocks(scene, budgets[PromptLayer.RELEVANT])
    before = [*long_ago, *facts, *_cut_notice(scene, selection, shown, bool(so_far)), *so_far]
    turns = list(prompt_turns_of(shown.values(), selection.style))
    framed = _frame_turns((_place_headers(scene), before), turns, ([*personal, *relevant], ending), scene)
    # these layers count as shown completely, even if only a part fits
    passages = (*scene.earlier.digests, *scene.earlier.facts, *scene.earlier.of_asked, *scene.earlier.recalled)
    prompt = Prompt(
        system=system,
        turns=tuple(framed),
        tools=scene.declared_tools,
        reply_tokens=scene.room.reply_tokens,
        sources=sources_in(scene, (line.item for line in shown.values()), passages),
    )
    layers = {
        PromptLayer.SUMMARIES: [*long_ago, *so_far],
        PromptLayer.FACTS: [*facts, *personal],
        PromptLayer.RELEVANT: relevant,
    }
    lengths = {layer.value: sum(map(len, texts)) for layer, texts in layers.items()}
    own = {"system": len(system), "tools": declared_characters(scene.declared_tools), "closing": sum(map(len, ending))}
    return evolve(prompt, size=_size(scene, prompt, (selection, shown), own | lengths))


def _last_texts(scene: Scene) -> Sequence[str]:
    """Return the last texts of the prompt: a mark for each attached file, and the closing part."""
    return [*(f"[attached: {file.label}]" for file in scene.attached), closing_part(scene)]


def _fixed_characters(system: str, ending: Sequence[str]) -> int:
    """Return the number of characters of the instructions and the last texts, including the line ends between texts."""
    return len(system) + sum(map(len, ending)) + len(ending) - 1


def _cut_notice(
    scene: Scene, selection: Selection, shown: Mapping[int, PromptLine], has_summary: bool
) -> Iterator[str]:
    """Yield a line that says how many older messages are not shown, if that is known; nothing if all are shown."""
    begin, said = selection.gapless(shown), _said_from_the_beginning(scene, selection)
    count = None if said is None else len(said) - sum(_is_said(line.item) for line in shown.values())
    is_cut = begin > 0 or not selection.is_whole
    if scene.format is PromptFormat.PLAIN or not shown or count == 0 or not (is_cut or scene.earlier.compression):
        return
    first = "first of them" if said is None else f"first {sum(item.seq <= selection.after for item in said):,}"
    which = f"of the {first} follows" if is_cut else "follows"
    summary = f"a summary {which}" if has_summary else f"there is no summary of {'it' if count == 1 else 'them'}"
    between = ", some of them between those below" if any(place < begin for place in shown) else ""
    number = "" if count is None else f"{count:,} "
    yield f"[earlier: {number}older message{' is' if count == 1 else 's are'} not shown{between}; {summary}]"


def _said_from_the_beginning(scene: Scene, selection: Selection) -> Sequence[HistoryItem] | None:
    """Return all messages of the conversation; None if its transcript was not read from the beginning.

    The numbers of entries cannot be used to count messages, since events, reactions and edits have numbers too.
    """
    first = next((entry.seq for entry in scene.entries), 0)
    if first > 1 or (not first and selection.after):
        return None
    return [item for item in history_of(scene.entries) if _is_said(item)]


def _is_said(item: HistoryItem) -> bool:
    return isinstance(item, HistoryMessage) and not item.message.is_service


def _place_headers(scene: Scene) -> Sequence[str]:
    """Return the header of the whole conversation, for the format in which messages' headers do not repeat the chat."""
    return (place_header(scene.chat.key, scene.chat.kind),) if scene.format is PromptFormat.META else ()


def _frame_turns(
    begin: tuple[Sequence[str], Sequence[str]],
    turns: Sequence[PromptTurn],
    after: tuple[Sequence[str], Sequence[str]],
    scene: Scene,
) -> Iterator[PromptTurn]:
    """Yield the turns of the conversation between the texts before it (`begin`) and after it (`after`).

    Each of the last texts is a separate part. A file follows its mark, so that everything above the files stays in the
    model's cache.
    """
    rest = list(turns)
    place, before = begin
    texts = list(before)
    if rest and rest[0].role is TurnRole.USER:
        texts += rest.pop(0).parts
    if rest:
        yield user_turn([*place, *(texts or [UNSHOWN])], scene.format)
        place, texts = (), list(rest.pop().parts) if rest[-1].role is TurnRole.USER else []
        yield from rest
    relevant, ending = after
    last = user_turn([*place, *texts, *relevant], scene.format)
    files = [(part, len(last.parts) + n) for n, file in enumerate(scene.attached, 1) for part in file.parts]
    yield PromptTurn(
        role=TurnRole.USER,
        parts=(*last.parts, *ending),
        attached=tuple(part for part, _ in files),
        attached_at=tuple(at for _, at in files),
    )


def _size(
    scene: Scene, prompt: Prompt, chosen: tuple[Selection, Mapping[int, PromptLine]], lengths: Mapping[str, int]
) -> PromptSize:
    selection, shown = chosen
    said = {place for place, line in enumerate(selection.lines) if isinstance(line.item, HistoryMessage)}
    seen = shown.keys() & said
    immediate = sum(shown[place].length for place in shown.keys() & selection.immediate)
    messages = {"immediate": immediate, "recent": sum(line.length for line in shown.values()) - immediate}
    return PromptSize(
        tokens=tokens_of(prompt.characters, scene.room.characters_per_token),
        max_tokens=scene.room.max_tokens,
        layers={**lengths, **messages},
        messages_shown=len(seen),
        messages_cut=len(said) - len(seen),
        texts_shortened=sum(shown[place].is_shortened for place in seen),
        attached=len(prompt.attached),
        instruction_hash=sha256(prompt.system.encode()).hexdigest()[:16],
    )


def record_prompt(scene: Scene, prompt: Prompt, model: str) -> PromptRecord | None:
    """Return the record of a prompt: its size, and data to assemble it again; None if `prompt.size` is None."""
    if prompt.size is None:
        return None
    summary = scene.earlier.compression
    return PromptRecord(
        **prompt.size.model_dump(),
        model=model,
        format=scene.format.value,
        characters_per_token=scene.room.characters_per_token,
        first_seq=next((entry.seq for entry in scene.entries if entry.seq), 0),
        summarized_seq=summary.up_to_seq if summary is not None else 0,
        targets=tuple(scene.answering.targets),
    )


#: the reserved characters are a multiple of this number, so that the prompt stays the same from request to request
HEADROOM_STEP = 2_048
#: the characters that are reserved for corrections, even if the agent's own texts fill the whole prompt
LEAST_HEADROOM = 1_000


def headroom_for(scene: Scene, prompt: Prompt) -> Headroom:
    """Return the headroom of a scene's plan: the room for the exchange with the model. `prompt` is the first request.

    The headroom is half of the prompt's budget, or less if the agent's texts and the minimum conversation need more.
    """
    left = conversation_budget(scene, _fixed_characters(prompt.system, _last_texts(scene))) - LEAST_CONVERSATION
    most = max(LEAST_HEADROOM, min(scene.budget // 2, left))

    def leaving(characters: int) -> Prompt:
        if prompt.characters + characters <= scene.budget:
            return prompt
        reserved = min(most, -(-characters // HEADROOM_STEP) * HEADROOM_STEP)
        return assemble_prompt(replace(scene, room=replace(scene.room, reserved=reserved)))

    return Headroom(most=most, leaving=leaving, shorten=shorten)


def source_of(item: HistoryItem, owner: int) -> TextSource:
    """Return the source of an item's text: the agent's owner (with the id `owner`), another person, the agent, lull, or
    outside. If the owner is unknown, `owner` is 0.
    """
    if item.outside:
        return TextSource(origin=TextOrigin.OUTSIDE, what=item.outside)
    if isinstance(item, HistoryEvent):
        return OWN
    if item.is_own:
        return TextSource(origin=TextOrigin.AGENT)
    author = item.message.author
    return TextSource(origin=TextOrigin.OWNER if author.id == owner else TextOrigin.PERSON, person=author.id)


def sources_in(scene: Scene, shown: Iterable[HistoryItem], passages: Iterable[Passage]) -> tuple[TextSource, ...]:
    """Return the sources of a prompt's texts, without repetitions.

    `shown`: the shown items of the conversation; `passages`: the other shown texts.
    """
    return tuple(dict.fromkeys(_sources(scene, shown, passages)))


def _sources(scene: Scene, shown: Iterable[HistoryItem], passages: Iterable[Passage]) -> Iterator[TextSource]:
    yield OWN
    yield from (source_of(item, scene.people.owner) for item in shown)
    yield from (passage.source for passage in passages)
    if any(file.is_outside and file.unseen is None for file in scene.attached):
        yield TextSource(origin=TextOrigin.OUTSIDE, what=ATTACHED)
    if any(file.unseen is not None for file in scene.attached):
        yield TextSource(origin=TextOrigin.OUTSIDE, what=UNSEEN)
    seen = textless_files(scene.entries)
    if any(one.saw_outside and not (one.unseen and all(map(seen.get, one.unseen))) for one in scene.answering.pending):
        yield TextSource(origin=TextOrigin.OUTSIDE, what=PLANNED_AFTER)
    if scene.earlier.compression is not None and scene.earlier.compression.holds_outside:
        yield TextSource(origin=TextOrigin.OUTSIDE, what=SUMMARY)
