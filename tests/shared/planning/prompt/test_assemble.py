"""The prompt: stable texts first, changing ones last, never too large, and no speaker imitates another."""

import re
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.planning.format.markdown_text import heading_in
from shared.planning.format.reply import ParsedReply, parse_reply
from shared.planning.prompt.assemble import UNSHOWN, assemble_prompt
from shared.planning.prompt.escaping import without_control_tokens
from shared.planning.prompt.history import HistoryMessage, history_of
from shared.planning.prompt.lines import lines_of
from shared.planning.prompt.scene import tokens_of
from shared.tasks.plan import PlannedTask
from shared.tools.toolbox import TOOLS
from shared.values.agent import Codec
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Author, Edit, Event, Message, Reaction
from shared.values.prompt import CompressionSummary, Prompt, TurnRole
from shared.values.prompt_format import PromptFormat
from tests.shared.examples import ANN, BOB, ME, NOW, PROPERTY, agent, said, send
from tests.shared.planning.prompt.scenes import (
    GROUP,
    HEADS,
    TEXTS,
    long_talk,
    marker_in,
    scene,
    talks,
    texts_of,
    without_own_marks,
)

SUMMARY = CompressionSummary(up_to_seq=40, text="Ann has a cat, Bob a dog.", made_at=NOW)


def test_what_changes_from_plan_to_plan_comes_last() -> None:
    history = [said("one", message_id=1), said("two", ME, 2)]
    first = assemble_prompt(scene(*history))
    second = assemble_prompt(scene(*history, said("three", message_id=3), now=NOW + timedelta(hours=1)))
    assert first.system == second.system
    assert first.turns[:2] == second.turns[:2]


ROLES = st.lists(st.tuples(st.sampled_from([ANN, BOB, ME]), st.sampled_from(["", "hi", "{date}"]), st.booleans()))


@PROPERTY
@given(ROLES, st.sampled_from(PromptFormat), st.none() | st.just(SUMMARY))
def test_user_and_model_take_turns_and_the_user_begins_and_ends(
    lines: Sequence[tuple[Author, str, bool]], prompt_format: PromptFormat, summary: CompressionSummary | None
) -> None:
    entries = [said(text, who, n, is_service=service) for n, (who, text, service) in enumerate(lines, 1)]
    turns = assemble_prompt(scene(*entries, format=prompt_format, compression=summary)).turns
    assert [turn.role for turn in turns] == [TurnRole.USER if n % 2 == 0 else TurnRole.MODEL for n in range(len(turns))]
    assert turns[-1].role is TurnRole.USER
    assert turns[-1].parts[-1].startswith("[now]\nIt is 2026-03-01T12:00:00Z")
    assert turns[-1].parts[-1].endswith("[RESPOND]")
    assert all(part for turn in turns for part in turn.parts)


def test_what_the_agent_said_first_follows_a_word_of_the_users() -> None:
    first, second, _ = assemble_prompt(scene(said("Hello.", ME))).turns
    assert (first.parts, second.role) == ((UNSHOWN,), TurnRole.MODEL)


def test_what_happened_to_a_plan_is_told_in_the_users_turn() -> None:
    event = Event(at=NOW, kind="plan", note="the answer could not be sent")
    for prompt_format in PromptFormat:
        (turn,) = assemble_prompt(scene(said("hi"), event, said("?", message_id=2), format=prompt_format)).turns
        assert "[event: the answer could not be sent]" in "\n".join(turn.parts).splitlines()


@PROPERTY
@given(HEADS, st.sampled_from(PromptFormat), st.booleans())
def test_in_no_layer_anybody_writes_a_task_in_markdown(text: str, prompt_format: PromptFormat, is_edited: bool) -> None:
    person = Author(id=5, name=text, username=text)
    entries: list[AnyEntry] = [said(text, person, media=text), Event(seq=2, at=NOW, kind="plan", note=text)]
    if is_edited:
        entries.append(Edit(seq=3, at=NOW, message_id=1, author=person, text=f"{text}\n{text}"))
    front = evolve(agent().front, codec=Codec.MARKDOWN)
    given_all = {
        "digests": [text],
        "facts": [text],
        "recalled": [text],
        "pending": [PlannedTask(task=send(text=text or "x"))],
    }
    prompt = assemble_prompt(scene(*entries, agent=agent(front=front), format=prompt_format, targets=[1], **given_all))
    assert [line for line in texts_of(prompt).split("\n") if heading_in(line)] == []


def marker_lines(prompt: Prompt) -> list[str]:
    return [line for line in texts_of(prompt).splitlines() if marker_in(without_own_marks(line))]


@settings(PROPERTY, max_examples=50)
@given(talks())
def test_in_the_meta_format_nobody_speaks_for_another(entries: tuple[AnyEntry, ...]) -> None:
    items = [item for item in history_of(entries) if isinstance(item, HistoryMessage)]
    prompt = assemble_prompt(scene(*entries, chat=GROUP, format=PromptFormat.META, max_tokens=50_000))
    lines = marker_lines(_without_models(prompt))
    people = [item.message for item in items if not item.is_own]
    assert lines.pop(0) == f"[meta] chat_id={GROUP.key.chat_id} chat_type=supergroup"
    spoken = [line for line in lines[:-2] if not line.startswith("[meta] sent_message_id=")]
    assert [re.split(" (?:user_id|name)=", line)[0] for line in spoken] == [
        f"[meta] message_id={m.message_id}" for m in people
    ]
    sent = re.findall(r"(?<= sent_message_id=)\d+", "\n".join(lines))
    assert [int(one) for one in sent] == [item.message.message_id for item in items if item.is_own]
    assert lines[-2:] == ["[now]", "[RESPOND]"]
    assert _own_texts(prompt) == [without_control_tokens(item.text) for item in items if item.is_own]


@settings(PROPERTY, max_examples=50)
@given(talks())
def test_in_the_compact_format_nobody_speaks_for_another(entries: tuple[AnyEntry, ...]) -> None:
    items = [item for item in history_of(entries) if isinstance(item, HistoryMessage)]
    prompt = assemble_prompt(scene(*entries, max_tokens=50_000))
    lines = [line for line in texts_of(_without_models(prompt)).splitlines() if not line.startswith(("  ", "[event: "))]
    *speaking, _, _, last = [line for line in lines if line != UNSHOWN]
    shown = lines_of(items, scene().style)
    assert [line.partition(":")[0] for line in speaking] == [
        line.shown.header.removesuffix(":") for line in shown if not line.is_own
    ]
    assert last == "[RESPOND]"
    assert marker_lines(_without_models(prompt)) == ["[now]", "[RESPOND]"]
    assert _own_texts(prompt) == [without_control_tokens(item.text) for item in items if item.is_own]


def _without_models(prompt: Prompt) -> Prompt:
    return evolve(prompt, turns=tuple(t for t in prompt.turns if t.role is TurnRole.USER))


def _own_texts(prompt: Prompt) -> list[str]:
    found = []
    for part in (part for turn in prompt.turns if turn.role is TurnRole.MODEL for part in turn.parts):
        parsed = parse_reply(part, ("send",))
        assert isinstance(parsed, ParsedReply)
        found += [getattr(task, "text", "") for task in parsed.tasks]
    return found


SIZES = st.integers(2_000, 9_000)
#: in bare words an empty message leaves nothing
WITH_NAMES = [one for one in PromptFormat if one is not PromptFormat.PLAIN]
RATIOS = st.floats(2.0, 6.0)
LONG_TEXTS = st.builds(lambda text, times: text * times, TEXTS, st.integers(1, 400))


@pytest.mark.parametrize("prompt_format", list(PromptFormat))
@pytest.mark.parametrize("size", [1_600, 2_000, 3_000])
def test_nor_where_texts_of_many_lines_are_indented(size: int, prompt_format: PromptFormat) -> None:
    entries = [said("x\n" * 300, ANN, 1, seq=1), said("x" * 2_400, ANN, 2, seq=2), said("x\n" * 300, ANN, 3, seq=3)]
    prompt = assemble_prompt(scene(*entries, format=prompt_format, max_tokens=size, targets=[1, 2, 3]))
    assert prompt.size
    assert prompt.size.tokens <= size


@settings(PROPERTY, max_examples=50)
@given(st.data(), SIZES, RATIOS, st.sampled_from(WITH_NAMES))
def test_the_prompt_is_never_larger_than_it_may_be(
    data: st.DataObject, size: int, ratio: float, prompt_format: PromptFormat
) -> None:
    texts = data.draw(st.lists(LONG_TEXTS, min_size=1, max_size=30))
    entries = [said(text, (ANN, BOB, ME)[n % 3], n, seq=n, media="x") for n, text in enumerate(texts, 1)]
    people = [n for n in range(1, len(texts) + 1) if n % 3 != 2]
    targets = sorted(data.draw(st.sets(st.sampled_from(people)))) if people else []
    prompt = assemble_prompt(
        scene(
            *entries, format=prompt_format, max_tokens=size, characters_per_token=ratio, targets=targets,
            facts=data.draw(st.lists(LONG_TEXTS, max_size=3)), recalled=data.draw(st.lists(LONG_TEXTS, max_size=3)),
            digests=data.draw(st.lists(LONG_TEXTS, max_size=2)), compression=data.draw(st.none() | st.just(SUMMARY)),
        )
    )  # fmt: skip
    assert prompt.size
    assert prompt.size.tokens <= prompt.size.max_tokens == size
    assert prompt.characters <= size * ratio
    if targets:
        names = (f" message_id={targets[-1]} ",) if prompt_format.names_messages else ("Ann", "Bob")
        assert any(name in texts_of(prompt) for name in names)


@pytest.mark.parametrize("prompt_format", PromptFormat)
def test_a_giant_message_is_shortened_and_both_its_ends_are_shown(prompt_format: PromptFormat) -> None:
    giant = said("BEGIN " + "blah " * 6_000 + "END?", seq=9, message_id=9)
    prompt = assemble_prompt(scene(*long_talk(8), giant, targets=[9], format=prompt_format, max_tokens=2_000))
    found = texts_of(prompt)
    assert "BEGIN blah" in found
    assert "blah END?" in found
    assert "[cut: 30,010 characters, its middle left out]" in found
    assert prompt.size
    assert prompt.size.texts_shortened == 1


@pytest.mark.parametrize("prompt_format", PromptFormat)
@pytest.mark.parametrize("before", [0, 300])
def test_the_message_to_be_answered_is_whole_whatever_else_is_cut(prompt_format: PromptFormat, before: int) -> None:
    asked = said(f"BEGIN {'blah ' * 816}END?", seq=999, message_id=999)
    talk = long_talk(before, "word " * 30)
    background = {"facts": ["x" * 900] * 9, "digests": ["y" * 9_000]} if before else {}
    prompt = assemble_prompt(scene(*talk, asked, targets=[999], format=prompt_format, max_tokens=4_000, **background))
    assert len(asked.text) == 4_090
    assert asked.text in texts_of(prompt)
    assert prompt.size
    assert prompt.size.tokens <= 4_000
    assert prompt.size.messages_shown > min(before, 1)


def test_several_long_messages_are_answered_whole_before_anything_older_is_shown() -> None:
    asked = [said(f"{n} {'blah ' * 600}END", message_id=n, seq=n) for n in range(901, 905)]
    prompt = assemble_prompt(scene(*long_talk(300), *asked, targets=[901, 902, 903, 904], max_tokens=8_500))
    assert all(message.text in texts_of(prompt) for message in asked)
    assert prompt.size
    assert prompt.size.texts_shortened == 0
    assert 4 < prompt.size.messages_shown < 200


def test_an_agent_that_leaves_no_room_is_said_to_be_too_large() -> None:
    prompt = assemble_prompt(scene(said("hi"), targets=[1], agent=agent(instructions="x" * 9_000), max_tokens=2_000))
    assert prompt.size
    assert prompt.size.tokens > prompt.size.max_tokens
    assert "Ann#000001: hi" in texts_of(prompt)


def test_what_is_cut_is_said() -> None:
    prompt = assemble_prompt(scene(*long_talk(400), max_tokens=2_000))
    first = prompt.turns[0].parts[0].splitlines()[0]
    assert prompt.size
    shown, cut = prompt.size.messages_shown, prompt.size.messages_cut
    assert (shown + cut, cut > 200) == (400, True)
    assert first == f"[earlier: {cut} older messages are not shown; there is no summary of them]"
    assert "earlier" not in texts_of(assemble_prompt(scene(*long_talk(40))))


def test_what_was_never_loaded_counts_as_cut() -> None:
    first = assemble_prompt(scene(*long_talk(400)[320:])).turns[0].parts[0].splitlines()[0]
    assert first == "[earlier: older messages are not shown; there is no summary of them]"


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ([], ""),
        ([Event(seq=1, at=NOW, kind="my_chat_member", note="the agent was added to the group")], ""),
        ([said("joined the group", BOB, 2, seq=1, is_service=True, at=NOW - timedelta(hours=2))], ""),
        (
            [said("old", BOB, 2, seq=1, at=NOW - timedelta(hours=2))],
            "1 older message is not shown; there is no summary of it",
        ),
        (
            [said(f"old {n}", BOB, n, seq=n, at=NOW - timedelta(hours=2)) for n in range(1, 6)],
            "5 older messages are not shown; there is no summary of them",
        ),
    ],
)
@pytest.mark.parametrize("seq", [0, 7])
def test_of_a_fresh_group_the_number_of_what_is_hidden_is_told_or_nothing(
    before: list[AnyEntry], told: str, seq: int
) -> None:
    asked = said("@lull hello", ANN, 50, seq=seq and len(before) + 1)
    prompt = assemble_prompt(scene(*before, asked, chat=GROUP, targets=[50], is_start=True))
    first = texts_of(prompt).splitlines()[0]
    assert first == f"[earlier: {told}]" if told else "earlier" not in texts_of(prompt)


def test_a_summary_stands_for_the_older_part() -> None:
    first, second, *_ = assemble_prompt(scene(*long_talk(60), compression=SUMMARY)).turns
    assert first.parts[0].splitlines() == [
        "[earlier: 40 older messages are not shown; a summary follows]",
        "[summary: what was said in this conversation before the messages below]",
        "  Ann has a cat, Bob a dog.",
    ]
    assert "what a day it was 41" in second.parts[0]


def test_what_was_cut_after_the_summary_is_said_too() -> None:
    tight = assemble_prompt(scene(*long_talk(400), compression=SUMMARY, max_tokens=2_000)).turns[0].parts[0]
    assert "a summary of the first 40 follows]" in tight.splitlines()[0]


def test_what_is_no_message_is_in_no_number() -> None:
    talk = long_talk(400)
    events = [Reaction(seq=n, at=NOW, message_id=101, author=BOB, emojis=("🔥",)) for n in range(401, 441)]
    entries = [evolve(one, seq=seq) for seq, one in enumerate([*talk[:30], *events, *talk[30:]], 1)]
    summary = evolve(SUMMARY, up_to_seq=70)
    first = assemble_prompt(scene(*entries, compression=summary, max_tokens=2_000)).turns[0].parts[0].splitlines()[0]
    assert "a summary of the first 30 follows]" in first
    late = (
        assemble_prompt(scene(*entries[20:], compression=summary, max_tokens=2_000)).turns[0].parts[0].splitlines()[0]
    )
    assert late == "[earlier: older messages are not shown; a summary of the first of them follows]"


def test_targets_from_long_ago_are_shown_with_the_newest() -> None:
    prompt = assemble_prompt(scene(*long_talk(400), targets=[103], max_tokens=2_000))
    first = texts_of(prompt).splitlines()[0]
    seen = [n for n in range(1, 401) if re.search(rf"what a day it was {n}\b", texts_of(prompt))]
    start = next(n for n in seen if n > 3)
    assert first == (
        f"[earlier: {start - 2} older messages are not shown, some of them between those below; "
        "there is no summary of them]"
    )
    assert seen[0] == 3


def test_a_target_that_is_summarised_hides_nothing_of_what_is_not_shown() -> None:
    prompt = assemble_prompt(scene(*long_talk(60), targets=[103], compression=SUMMARY))
    assert texts_of(prompt).splitlines()[0] == (
        "[earlier: 39 older messages are not shown, some of them between those below; "
        "a summary of the first 40 follows]"
    )


def test_that_there_is_no_summary_is_said_even_if_all_that_would_follow_it_is_shown() -> None:
    summary = evolve(SUMMARY, text=" ")
    prompt = assemble_prompt(scene(*long_talk(42)[40:], compression=summary))
    first = texts_of(prompt).splitlines()[0]
    assert first == "[earlier: older messages are not shown; there is no summary of them]"


def test_later_facts_are_not_lost_to_a_summary() -> None:
    album = {"album_id": "a", "media": "a photo"}
    edited = Edit(seq=62, at=NOW, message_id=107, author=BOB, text="meet at 7")
    talk = long_talk(60)
    talk[6], talk[39] = said("meet at 5", BOB, 107, seq=7), said("", ANN, 140, seq=40, **album)
    caption = said("the bill is 42", ANN, 161, seq=61, **album)
    prompt = assemble_prompt(scene(*talk, caption, edited, compression=SUMMARY))
    lines = texts_of(prompt).splitlines()
    assert "Ann: [media: an album of 2: a photo, a photo]" in lines
    assert "  the bill is 42" in lines
    assert "Bob: meet at 7 [edited]" in lines
    assert "meet at 5" not in texts_of(prompt)
    assert lines[0] == "[earlier: 38 older messages are not shown; a summary follows]"


def test_what_is_known_stands_before_the_conversation_and_what_was_found_after_it() -> None:
    known = scene(
        said("hi"), facts=["Ann has a cat."], digests=["A quiet month."], recalled=["Bob: at noon"], compression=SUMMARY
    )
    found = texts_of(assemble_prompt(known))
    order = ["A quiet month.", "Ann has a cat.", "[earlier:", "Bob a dog.", "Ann#000001: hi", "Bob: at noon", "It is"]
    places = [found.index(text) for text in order]
    assert places == sorted(places)


def test_the_size_says_where_the_room_went() -> None:
    prompt = assemble_prompt(scene(*long_talk(90), facts=["Ann has a cat."], targets=[190]))
    assert prompt.size
    assert prompt.size.layers.keys() == {
        "system", "tools", "closing", "immediate", "recent", "summaries", "facts", "relevant",
    }  # fmt: skip
    assert 0 <= prompt.characters - sum(prompt.size.layers.values()) < 20
    assert prompt.size.messages_shown == 90


@pytest.mark.parametrize("prompt_format", PromptFormat)
def test_tools_that_are_declared_are_part_of_the_prompt_and_its_size(prompt_format: PromptFormat) -> None:
    tools = [tool.declaration for tool in TOOLS.values()]
    for count in range(150, 400, 10):
        prompt = assemble_prompt(scene(*long_talk(count), tools=tools, format=prompt_format, max_tokens=4_000))
        assert prompt.size
        assert prompt.tools == tuple(tools)
        assert prompt.size.tokens == tokens_of(prompt.characters, 2.0) <= 4_000
        assert prompt.size.layers["tools"] == sum(len(tool.model_dump_json()) for tool in tools) > 500


@pytest.mark.parametrize("prompt_format", PromptFormat)
def test_most_of_a_prompt_is_the_begin_of_the_next(prompt_format: PromptFormat) -> None:
    talk = long_talk(700)
    prompts = [
        f"{p.system}\n{texts_of(p)}"
        for end in range(402, 540, 3)
        for p in [assemble_prompt(scene(*talk[end - 400 : end], format=prompt_format))]
    ]
    shares = [_common(one, other) / len(other) for one, other in pairwise(prompts)]
    assert sum(shares) / len(shares) > 0.8


def _common(one: str, other: str) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def test_messages_without_a_number_yet_are_the_newest() -> None:
    entries: list[Message] = [m for m in long_talk(400) if isinstance(m, Message)]
    prompt = assemble_prompt(scene(*entries, said("and now?", BOB, 999), targets=[999], max_tokens=2_000))
    assert texts_of(prompt).splitlines()[-4] == "Bob: and now?"
