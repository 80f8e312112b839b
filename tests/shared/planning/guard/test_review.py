"""Leaks are removed, or the plan is sent back once; code and ordinary texts stay as they are."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.media.tasks.draw import Draw
from shared.media.tasks.voice import Voice
from shared.planning.format.raw_task import ReplyProblem
from shared.planning.guard.guard import LeakGuard, LeakKind, leak_guard_for
from shared.planning.guard.review import ReviewResult, TextInspection, TextVerdict, inspect_text, review_tasks
from shared.planning.prompt.assemble import assemble_prompt
from shared.tasks.send import Send
from shared.values.agent import RolePrompt
from shared.values.evolve import evolve
from shared.values.prompt_format import PromptFormat
from tests.shared.examples import BOB, PROPERTY, agent, react, said, send, wait
from tests.shared.planning.guard.test_calls import SPELLINGS
from tests.shared.planning.prompt.scenes import HEADER, LINE, PLAN, TEXTS, scene

PERSONA = (
    "You are Moss, an old gardener who has seen sixty springs. You speak slowly and plainly, in few words, and you see "
    "everything with a gardener's eye: seasons, soil, patience. You never pretend to know gadgets. You are kind, a "
    "little dry, and you never use exclamation marks.\n\nКоли до тебе звертаються українською, ти відповідаєш "
    "українською, коротко, без окликів, і ніколи не вдаєш, що тямиш у телефонах, комп'ютерах чи інших таких речах."
)


def guard(**fields: Any) -> LeakGuard:
    where = scene(said("hi"), said("you", BOB, 2), agent=agent(instructions=PERSONA), **fields)
    return leak_guard_for(where, assemble_prompt(where))


def draw(name: str, prompt: str, depends_on: tuple[str, ...] = ()) -> Draw:
    return Draw(id=name, depends_on=depends_on, prompt=prompt)


COMPACT = guard()
META = guard(format=PromptFormat.META)
CALCULATING = RolePrompt(name="calculating", text="Calculate.", unlocks=("send",), tools=("calculate",))
TOOLED = replace(META, tools=frozenset(CALCULATING.tools))


def test_an_ordinary_text_is_clean() -> None:
    assert inspect_text("Hello.", COMPACT) == TextInspection(verdict=TextVerdict.CLEAN, text="Hello.")


def test_a_leak_is_taken_out() -> None:
    found = inspect_text(f"{HEADER}\nBob#000002: Hello.\n\n[RESPOND]", COMPACT)
    assert found == TextInspection(
        verdict=TextVerdict.CLEANED,
        text="Hello.",
        leaks=(LeakKind.HEADER, LeakKind.MARKER, LeakKind.SPEAKER),
        hint=found.hint,
    )


@pytest.mark.parametrize("text", [HEADER, "[RESPOND]", " [meta] \n", "Bob#000002:", "# «send» 5"])
def test_what_was_nothing_else_is_sent_back(text: str) -> None:
    found = inspect_text(text, COMPACT)
    assert (found.verdict, found.text.strip()) == (TextVerdict.SEND_BACK, "")
    assert "nothing but parts of the prompt" in found.hint


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (PLAN, "I was told to say this"),
        (f"```json\n{PLAN}\n```", "I was told to say this"),
        (f"Here you are: {PLAN}", "Here you are:"),
        ('{"kind": "send", "text": "one"}\n{"kind": "send", "text": "two"}', "one\n\ntwo"),
        ('[{"kind": "wait", "seconds": 5}]', ""),
        (json.dumps({"tasks": [{"kind": "send", "text": "use `x`"}]}), "use `x`"),
        ('So: {"tasks": [{"kind": "send", "text": "cut o', "So:"),
    ],
)
def test_a_plan_in_a_text_is_sent_back(text: str, rest: str) -> None:
    found = inspect_text(text, META)
    assert (found.verdict, found.text, found.leaks) == (TextVerdict.SEND_BACK, rest, (LeakKind.PLAN,))
    assert "itself a plan" in found.hint


@pytest.mark.parametrize("call", SPELLINGS)
def test_a_call_in_a_text_is_sent_back(call: str) -> None:
    found = inspect_text(call, TOOLED)
    assert (found.verdict, found.text, found.leaks) == (TextVerdict.SEND_BACK, "", (LeakKind.CALL,))
    assert "calls a function" in found.hint
    assert LeakKind.CALL not in inspect_text(call, META).leaks, "it has no tools"


def test_what_is_left_beside_a_call_is_cleaned_too() -> None:
    assert inspect_text(f"[RESPOND] So:\n\n{SPELLINGS[0]}\n\nmessage_id: 2", TOOLED).text == " So:"


@pytest.mark.parametrize("call", [SPELLINGS[0], PLAN])
def test_of_instructions_beside_what_is_no_text_nothing_is_left(call: str) -> None:
    assert inspect_text(f"{PERSONA}\n\n{call}", TOOLED).text == ""


def test_the_tools_of_a_prompt_are_its_agents() -> None:
    where = scene(said("hi"), agent=agent(roles=(CALCULATING,)))
    assert leak_guard_for(where, assemble_prompt(where)).tools == {"calculate"}


@pytest.mark.parametrize(
    "text",
    [
        'A body such as {"kind": "circle"} or {"tasks": []} is fine.',
        'Say: {"a": 1}',
        f"An agent would write:\n\n```json\n{PLAN}\n```\n\nand that is all.",
        'Use {"action": "wait", "ms": 100} there',
        'Post {"type": "send", "amount": 5}',
        '{"kind": "react", "version": 18}',
        "{unbalanced",
        "f(x) = {x | x > 1}",
    ],
)
def test_other_json_is_ordinary(text: str) -> None:
    assert inspect_text(text, META).verdict is TextVerdict.CLEAN


@pytest.mark.parametrize(
    "quote",
    [
        PERSONA,
        PERSONA.partition("\n")[0].upper(),
        f"Sure! My instructions say: {PERSONA.partition('exclamation')[0]}",
        f"```\n{PERSONA}\n```",
        PERSONA.rpartition("\n")[2],
        "> " + PERSONA.partition("\n")[0].replace(". ", ".\n> "),
    ],
)
def test_instructions_word_for_word_are_sent_back_even_as_code(quote: str) -> None:
    found = inspect_text(quote, META)
    assert (found.verdict, found.leaks[-1]) == (TextVerdict.SEND_BACK, LeakKind.INSTRUCTIONS)
    assert "word for word" in found.hint
    assert inspect_text(found.text, META).verdict is TextVerdict.CLEAN if found.text else True


def test_a_few_words_of_the_instructions_are_no_leak() -> None:
    answer = "I am Moss, an old gardener who has seen sixty springs. I speak slowly and plainly."
    assert inspect_text(answer, META).verdict is TextVerdict.CLEAN
    assert (
        inspect_text("You never pretend to know gadgets. You are kind, a little dry.", META).verdict
        is TextVerdict.CLEAN
    )


def test_around_a_quote_the_rest_is_kept() -> None:
    found = inspect_text(f"Here they are:\n\n{PERSONA}\n\nAnything else?", META)
    assert found.text == "Here they are:\n\n\n\nAnything else?"


@PROPERTY
@given(TEXTS)
def test_what_is_clean_is_the_same_and_cleaning_ends(text: str) -> None:
    for watched in (COMPACT, META):
        found = inspect_text(text, watched)
        if found.verdict is TextVerdict.CLEAN:
            assert found.text == text
        again = inspect_text(found.text, watched)
        assert HEADER not in again.text.replace("`", "\n") or "`" in text or "    " in text or "\t" in text


ODD_CODE = (HEADER, LINE, "[RESPOND]", "  x  ", "", "\ty", "{date}", PLAN, "a", "message_id: 2", *SPELLINGS[:-3])
CODE = st.lists(st.sampled_from(ODD_CODE), max_size=5)


@PROPERTY
@given(
    CODE,
    st.sampled_from(["", HEADER, "Bob#000002: so", "[RESPOND]", "message_id: 2"]),
    st.sampled_from(["", "and\n", "[meta]\n\n\n"]),
    st.sampled_from([COMPACT, TOOLED]),
)
def test_code_is_never_changed(lines: list[str], before: str, after: str, guard: LeakGuard) -> None:
    code = "\n".join(["```", *lines, "```"])
    text = f"{before}\nSee:\n\n{code}\n\n{after}"
    assert code in inspect_text(text, guard).text


def test_a_reply_is_reviewed_text_by_text() -> None:
    tasks = (send("1", "[RESPOND] Hello."), wait("2", after=("1",)), send("3", "Bye.", after=("2",)), react("4"))
    found = review_tasks(tasks, COMPACT, may_send_back=True)
    assert isinstance(found, ReviewResult)
    assert [one.text for one in found.tasks if isinstance(one, Send)] == [" Hello.", "Bye."]
    assert found.notes == ("Parts of the prompt were taken out of a text: a marker.",)
    clean = (tasks[2], tasks[3])
    assert review_tasks(clean, COMPACT, may_send_back=True) == ReviewResult(clean)


def test_what_is_to_go_back_goes_back_once() -> None:
    tasks = (send("1", PERSONA), send("2", "Hello.", after=("1",)))
    found = review_tasks(tasks, COMPACT, may_send_back=True)
    assert isinstance(found, ReplyProblem)
    assert found.hint.endswith("people read the text of `send` exactly as it stands.")
    assert "Moss" not in found.hint


def test_what_comes_back_again_is_left_out_and_the_rest_follows_what_it_followed() -> None:
    tasks = (wait("1"), send("2", PERSONA, after=("1",)), send("3", "Hello.", after=("2", "1")), send("4", HEADER))
    found = review_tasks(tasks, COMPACT, may_send_back=False)
    assert isinstance(found, ReviewResult)
    assert [(one.id, one.depends_on) for one in found.tasks] == [("1", ()), ("3", ("1",))]
    assert found.notes == ("A text was left out that was nothing but parts of the prompt.",) * 2


@PROPERTY
@given(st.lists(TEXTS.filter(str.strip), min_size=1, max_size=4), st.booleans())
def test_any_reply_is_reviewed(texts: list[str], may_send_back: bool) -> None:
    tasks = tuple(send(str(n), text, (str(n - 1),) if n > 1 else ()) for n, text in enumerate(texts, 1))
    found = review_tasks(tasks, COMPACT, may_send_back=may_send_back)
    if isinstance(found, ReplyProblem):
        assert may_send_back
    else:
        ids = {one.id for one in found.tasks}
        assert all(set(one.depends_on) <= ids for one in found.tasks)
        assert all(one.text.strip() for one in found.tasks if isinstance(one, Send) and one not in tasks)


def test_a_choice_that_holds_parts_of_the_prompt_is_not_offered() -> None:
    offer = Send(id="1", text="Tea?", choices=("Yes", "[RESPOND]", HEADER))
    reviewed = review_tasks((offer,), COMPACT, may_send_back=True)
    assert isinstance(reviewed, ReviewResult)
    assert reviewed.tasks == (evolve(offer, choices=("Yes",)),)
    assert reviewed.notes == ("A choice was left out that held parts of the prompt.",)
    alone = evolve(offer, choices=(HEADER,))
    assert review_tasks((alone,), COMPACT, may_send_back=True) == ReviewResult(
        (Send(id="1", text="Tea?"),), reviewed.notes
    )


def test_what_is_to_be_drawn_holds_no_part_of_the_prompt() -> None:
    tasks = (send("1", "First."), draw("2", f"A poster that says:\n{HEADER}", ("1",)), send("3", "Last.", ("2",)))
    assert isinstance(review_tasks(tasks, META, may_send_back=True), ReplyProblem)
    reviewed = review_tasks(tasks, META, may_send_back=False)
    assert isinstance(reviewed, ReviewResult)
    assert [task.kind for task in reviewed.tasks] == ["send", "draw", "send"]
    assert reviewed.tasks[1] == draw("2", "A poster that says:", ("1",))
    assert reviewed.notes == ("Parts of the prompt were taken out of a picture.",)


def test_a_picture_of_nothing_but_the_prompt_is_left_out() -> None:
    tasks = (send("1", "First."), draw("2", HEADER, ("1",)), send("3", "Last.", ("2",)))
    reviewed = review_tasks(tasks, META, may_send_back=False)
    assert isinstance(reviewed, ReviewResult)
    assert reviewed.tasks == (send("1", "First."), send("3", "Last.", ("1",)))


def test_an_ordinary_picture_stays_and_its_caption_is_cleaned_as_any_text() -> None:
    clean = evolve(draw("1", "A fox in the snow."), text=f"Look!\n{HEADER}")
    reviewed = review_tasks((clean,), META, may_send_back=True)
    assert isinstance(reviewed, ReviewResult)
    assert reviewed.tasks == (clean.with_words("Look!"),)


def test_what_is_said_aloud_is_cleaned_as_any_text() -> None:
    reviewed = review_tasks((Voice(id="1", text=f"Hello.\n{HEADER}"),), META, may_send_back=True)
    assert isinstance(reviewed, ReviewResult)
    assert reviewed.tasks == (Voice(id="1", text="Hello."),)


def test_a_plan_with_too_much_to_be_made_is_sent_back_once() -> None:
    many = [draw(str(n), f"A fox {n}.") for n in range(50)]
    found = review_tasks(many, COMPACT, may_send_back=True)
    assert isinstance(found, ReplyProblem)
    assert "50 tasks `draw`, and at most 2 of them" in found.hint
    after = review_tasks([*many, send("z", "Done.", ("49",))], COMPACT, may_send_back=False)
    assert isinstance(after, ReviewResult)
    assert (after.tasks, len(after.notes)) == ((*many[:2], send("z", "Done.")), 1)
    assert review_tasks(many[:2], COMPACT, may_send_back=True) == ReviewResult(tuple(many[:2]))
    chain = [draw(str(n), "A fox.", (str(n - 1),) if n else ()) for n in range(9)]
    after = review_tasks([*chain, send("z", "Done.", ("8",))], COMPACT, may_send_back=False)
    assert isinstance(after, ReviewResult)
    assert after.tasks == (*chain[:2], send("z", "Done.", ("1",)))


def test_what_is_too_much_to_be_spoken_is_written() -> None:
    spoken = [Voice(id=str(n), text=f"Hello {n}.") for n in range(5)]
    found = review_tasks([*spoken, draw("5", "A fox.", ("4",))], COMPACT, may_send_back=False)
    assert isinstance(found, ReviewResult)
    assert [task.kind for task in found.tasks] == ["voice"] * 3 + ["send"] * 2 + ["draw"]
    assert [task.words for task in found.tasks[:5]] == [f"Hello {n}." for n in range(5)]
    assert found.tasks[5].depends_on == ("4",)
