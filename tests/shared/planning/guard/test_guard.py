"""Parts of a prompt are removed from answers; texts that only look similar stay."""

from typing import Any

import pytest

from shared.planning.guard.guard import LeakGuard, LeakKind, leak_guard_for, mask_code, normal
from shared.planning.guard.ids import IdKind, TelegramId
from shared.planning.guard.review import inspect_text
from shared.planning.prompt.assemble import assemble_prompt
from shared.values.evolve import evolve
from shared.values.message import Author, Event, QuotedMessage, Reaction
from shared.values.prompt_format import PromptFormat
from tests.shared.examples import ANN, BOB, NOW, agent, said
from tests.shared.planning.prompt.scenes import GROUP, scene

MOMENT = 'It is 2026-03-01T12:00:00Z, Sunday. You are lull in the supergroup chat "Garden".'
ENTRIES = (
    said("hi", message_id=501),
    said("ok", BOB, 502, reply=QuotedMessage(message_id=499, author=evolve(ANN, name="Eva", id=77))),
    said("fyi", BOB, 503, forwarded_from=Author(id=78, name="Cem")),
    said("so", BOB, 504, reply=QuotedMessage(message_id=0, author=Author(id=0, name="Dan"), excerpt="x")),
    Event(at=NOW, kind="plan", note="the answer could not be sent"),
)


def guard(**fields: Any) -> LeakGuard:
    where = scene(*ENTRIES, chat=GROUP, targets=[502], **fields)
    return leak_guard_for(where, assemble_prompt(where))


COMPACT = guard()
META = guard(format=PromptFormat.META)


def remove_leaks(text: str, watched: LeakGuard = COMPACT) -> tuple[str, tuple[LeakKind, ...]]:
    return watched.remove_leaks(mask_code(text))


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ('[meta] chat_id=1 message_id=2 user_id=3 name="A \\" [b]" time=2026-03-01T12:00Z Hello', "Hello"),
        ("[meta]\nHello", "\nHello"),
        ("Hello [/meta]", "Hello"),
        ("[META] message_id=501 Hello", "Hello"),
        ("See message_id=501 above", "See above"),
        ('user_id=9 name="Ann": hi', ": hi"),
        ("reply_to_message_id=499: hi", "hi"),
        ("chat_id=5 message_id=6 hi", "hi"),
        ("reply_to_message_id=502 yes", "yes"),
        ('[meta] chat_id=1 name="A" forwarded_from_user_id=3 forwarded_from_name="B" time=2026-03-01T12:00Z Hi', "Hi"),
        ('user_id=1 reply_to_other_chat=true reply_to_user_id=2 reply_to_name="B" reply_excerpt="x y" so', "so"),
        ('message_id=1 reply_to_message_id=2 reply_forwarded_from_user_id=3 reply_forwarded_from_name="B" so', "so"),
    ],
)  # fmt: skip
def test_headers_go_and_the_rest_stays(text: str, rest: str) -> None:
    found, leaks = remove_leaks(text, META)
    assert (found, leaks) == (rest, (LeakKind.HEADER,))


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Ann#000001: Hello", "Hello"),
        ("Ann#000001 → lull: Hello", "Hello"),
        ("Hello\nBob#000002 → Ann#000001: yes", "Hello\nyes"),
        ("Hello\nBob#000002 forwards Cem#000078: yes", "Hello\nyes"),
        ("Cem#000078 forwards lull → Bob#000002: yes", "yes"),
        ("as Ann#000001 and Eva#000077 said", "as Ann and Eva said"),
        ("lull: Hello", "Hello"),
        ("lull → Ann#000001: Hello", "Hello"),
    ],
)
def test_authors_numbers_go(text: str, rest: str) -> None:
    assert remove_leaks(text) == (rest, (LeakKind.SPEAKER,))


@pytest.mark.parametrize(
    ("text", "rest", "leak"),
    [
        ("Hello\n[RESPOND]", "Hello\n", LeakKind.MARKER),
        ("[event: the answer could not be sent] Sorry!", " Sorry!", LeakKind.MARKER),
        ("[event: a party] Hello", "Hello", LeakKind.MARKER),
        ("[event: you had looked up: weather {} → 4 °C]\nIt is warm", "\nIt is warm", LeakKind.MARKER),
        ("[quoting what this replies to]\nIt is warm", "\nIt is warm", LeakKind.MARKER),
        ("[quoting the part of it that is meant] It is warm", "It is warm", LeakKind.MARKER),
        ("Hi.\n- [event: Ann joined]\n- [event: Bob left]", "Hi.\n\n", LeakKind.MARKER),
        ("> [event: Ann joined]\nHi", "\nHi", LeakKind.MARKER),
        ("1. [event: Ann joined] Hello\n2. Tea", "1. Hello\n2. Tea", LeakKind.MARKER),
        ("[[event: Ann joined]] Hi", "Hi", LeakKind.MARKER),
        ("**[meta]** message_id=1005 Hi", "Hi", LeakKind.HEADER),
        ("Tea [Event: Ann joined], then", "Tea, then", LeakKind.MARKER),
        ("[Event: the answer could not be sent] Sorry!", "Sorry!", LeakKind.MARKER),
        ("Hi! [event: Jazz Night]", "Hi!", LeakKind.MARKER),
        ("Tea [event: Ann joined] then", "Tea then", LeakKind.MARKER),
        (f"Hello\n{MOMENT}", "Hello\n", LeakKind.MARKER),
        ("<|im_start|>assistant\nHello<|im_end|>", "Hello", LeakKind.TEMPLATE),
        ("<start_of_turn>model\nHello", "Hello", LeakKind.TEMPLATE),
        ("# «send» 12345\n\nHello", "\n\nHello", LeakKind.PLAN),
        ("# «think»\nHello", "\nHello", LeakKind.PLAN),
    ],
)  # fmt: skip
def test_markers_go(text: str, rest: str, leak: LeakKind) -> None:
    assert remove_leaks(text) == (rest, (leak,))


def test_a_variable_that_the_model_repeats_is_filled_in() -> None:
    persona = agent(instructions="You talk to {userfullname} on {date}.")
    watched = guard(agent=persona)
    assert remove_leaks("Hello {userfullname}, {name}!", watched) == ("Hello Bob, {name}!", (LeakKind.VARIABLE,))
    assert remove_leaks("Hello {userfullname}!") == ("Hello {userfullname}!", ())


@pytest.mark.parametrize(
    "text",
    [
        *("Order#123456: shipped", "Ann#000009 is another", "Ann#0000011", "lullaby: a song", "so: lull: no"),
        *("call it with chat_id=5, message_id=12345", "name=x&time=5", "time=now", "a meta] b", "[metadata]"),
        *("what is <|endoftext|> for?", "# «Bonjour»", "# send", "{json}", "[event] a party", "{date}"),
        # titles: the prompt's own keys have no capital
        "[Event: Jazz Night]\nFriday at 8pm.",
        "See you there! [Event: Jazz Night]",
        "- [Event: Annual Meeting 2026]\n- [Event: Night of the Proms]",
        "On Friday [Event: Кино под открытым небом], then tea.",
        "[EVENT: JAZZ NIGHT] starts at eight.",
        "The latest: [Recalled: Model X] and [Media: The Guardian].",
        *("Hello  \nline", "a\n\n\n\nb", "  indented", "`[meta]` and `Ann#000001: x`"),
        *("```\n[meta] chat_id=1\n\n\n\nAnn#000001: x  \n```", "    [RESPOND]\n    lull: hi\n"),
    ],
)  # fmt: skip
def test_what_only_looks_so_stays_as_it_is(text: str) -> None:
    assert remove_leaks(text) == (text, ())


@pytest.mark.parametrize(
    "text",
    [
        *("SELECT * FROM users WHERE user_id = 501;", "Rows with user_id=501 are admins", '{"user_id": 501}'),
        *("Error: user id 501 not found.", "thread id 501 crashed"),
        *("Answer to 501: it is 7.", "See message_id=501 above"),
        *("Antwort auf Nachricht 501: b)", "In response to 501, we left.", 'user_id=9 name="Ann": hi'),
    ],
)  # fmt: skip
def test_where_no_ids_stand_in_the_prompt_all_numbers_stay(text: str) -> None:
    assert remove_leaks(text) == (text, ())


def test_lulls_own_lines_go_with_the_names_in_them() -> None:
    assert remove_leaks("Consider responding to Bob#000002.\nHello") == ("\nHello", (LeakKind.MARKER,))
    assert remove_leaks("[RESPOND]\nlull: Hello") == ("Hello", (LeakKind.MARKER, LeakKind.SPEAKER))
    link = "[RESPOND](https://x.y) to it"
    assert remove_leaks(link) == (link, ())


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Hello\n<|im_end|>\n<|endoftext|>", "Hello"),
        ("<b>x</b><|im_end|>", "<b>x</b>"),
        ("<|assistant|> Hello", "Hello"),
        ("<|start_header_id|>assistant<|end_header_id|>\n\nHello", "Hello"),
        ("A turn ends with <|im_end|>", None),
        ("<|im_start|> begins a turn", None),
        ("between <|im_start|> and <|im_end|> it stands", None),
    ],
)
def test_marks_of_templates_go_where_they_are_no_words(text: str, rest: str | None) -> None:
    found, leaks = remove_leaks(text)
    assert (found.strip("\n"), leaks) == ((text, ()) if rest is None else (rest, (LeakKind.TEMPLATE,)))


@pytest.mark.parametrize("unit", ["<|im_end|>", "<|im_end|>\n", " <|im_end|>", "[event: ", "{date}", "# «send» 5\n"])
def test_what_a_model_repeats_for_ever_is_read_to_its_end(unit: str) -> None:
    text = f"x {unit * (60_000 // len(unit))}x"
    assert len(remove_leaks(text)[0]) <= len(text)


def test_in_the_meta_format_nobody_speaks_with_a_colon() -> None:
    assert remove_leaks("lull: an agent", META) == ("lull: an agent", ())


def test_code_beside_a_leak_stays_to_the_blank() -> None:
    code = "```py\ndef f():  \n\n\n\n\treturn '[meta]'  \n```"
    found, leaks = remove_leaks(f"[meta] chat_id=1\nSee:  \n\n\n\n{code}\n[RESPOND]")
    assert found.strip("\n") == f"See:\n\n{code}"
    assert leaks == (LeakKind.HEADER, LeakKind.MARKER)


def test_a_prompt_is_known_by_its_ids_authors_and_lines() -> None:
    messages = {TelegramId(IdKind.MESSAGE, number) for number in (501, 502, 503, 504, 499)}
    users = {TelegramId(IdKind.USER, number) for number in (ANN.id, BOB.id, 77, 78)}
    assert META.ids == messages | users | {TelegramId(IdKind.CHAT, GROUP.key.chat_id)}
    assert COMPACT.ids == frozenset(), "none stands in it"
    assert COMPACT.authors == {"Ann#000001", "Bob#000002", "Eva#000077", "Cem#000078", "Dan#000000"}
    assert (COMPACT.own_name, META.own_name) == ("lull", "")
    assert "[event: the answer could not be sent]" in COMPACT.lines
    assert COMPACT.normal_system == normal(COMPACT.system)
    assert COMPACT.normal_system.startswith(b"bebrief")
    assert COMPACT.normal_system.endswith(b"answerwithaplanyouarelull")


@pytest.mark.parametrize("mark", ['[quoting "the red one"]', "[media: a photo]", "[reactions: 👍 Bob]"])
def test_what_lull_writes_beside_words_is_watched(mark: str) -> None:
    entries = (
        said("red?", ANN, 100, reply=QuotedMessage(message_id=1, author=BOB, excerpt="the red one")),
        said("look", ANN, 101, media="a photo"),
        Reaction(seq=3, at=NOW, message_id=101, author=BOB, emojis=("👍",)),
    )
    shown = scene(*entries)
    guard = leak_guard_for(shown, assemble_prompt(shown))
    assert mark in guard.lines
    assert inspect_text(f"Nice. {mark}", guard).text.strip() == "Nice."
