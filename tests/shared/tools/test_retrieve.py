"""`retrieve`: pages it reads, reads once, and does not read after text from outside."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

import pytest

from shared.base.errors import ToolFailed
from shared.llm.ports.world import PortRegistry
from shared.tools.browsing import MOST_READ, MOST_ROUNDS, Browsing
from shared.tools.reader import HttpReader
from shared.tools.retrieve import TOOL
from shared.tools.tool import ToolContext, ToolOutput
from shared.values.page import LONGEST_PAGE, PageResult
from tests.shared.tools.toolboxes import CONTEXT

TEA, RICE, GONE = "https://tea.example/green", "https://rice.example/", "https://gone.example/"
PAGES = {
    TEA: PageResult(asked=TEA, url=TEA, title="Tea", text="Green tea. See [rice](https://rice.example/)."),
    RICE: PageResult(asked=RICE, url=f"{RICE}new", text="r" * LONGEST_PAGE, is_cut=True),
    f"{RICE}new": PageResult(asked=f"{RICE}new", url=f"{RICE}new", text="r" * LONGEST_PAGE, is_cut=True),
}


class Library(HttpReader):
    """A reader with two pages that records requests."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, bool]] = []

    async def read(self, url: str, *, is_automatic: bool) -> PageResult:
        self.asked.append((url, is_automatic))
        await asyncio.sleep(0)
        return PAGES.get(
            url.partition("#")[0], PageResult(asked=url, problem="The page says 404: there is no such page.")
        )


def context_of(library: Library, *written: str, saw_outside: bool = False) -> ToolContext:
    browsing = Browsing()
    browsing.learn_written(written)
    return replace(CONTEXT, ports=PortRegistry({HttpReader: library}), browsing=browsing, saw_outside=saw_outside)


async def texts(arguments: Mapping[str, object], context: ToolContext) -> tuple[str, ...]:
    answer = await TOOL.run(arguments, context)
    if isinstance(answer, ToolOutput):
        return answer.parts
    assert isinstance(answer, tuple)
    return answer


async def test_pages_are_read_and_each_is_a_text_of_its_own() -> None:
    library = Library()
    context = context_of(library, TEA)
    tea, rice, gone = await texts({"urls": [TEA, RICE, GONE]}, context)
    assert tea == f"Retrieved from {TEA}:\n\nIts title: Tea\n\nGreen tea. See [rice](https://rice.example/)."
    assert rice.startswith(f"Retrieved from {RICE} (found at {RICE}new):\n\nrrr")
    assert rice.endswith("r\n\n(The page goes on; this is its beginning.)")
    assert gone == f"{GONE}: The page says 404: there is no such page."
    assert library.asked == [(TEA, False), (RICE, True), (GONE, True)], "only what a person wrote is read for a person"


async def test_what_was_read_in_this_plan_is_answered_from_what_is_there() -> None:
    library = Library()
    context = context_of(library)
    await texts({"urls": [TEA]}, context)
    for _ in range(MOST_ROUNDS + 2):
        await texts({"urls": [f"{TEA}#top"]}, context)
    assert len(library.asked) == 1


async def test_a_page_that_was_told_is_not_told_again() -> None:
    context = context_of(Library())
    await texts({"urls": [TEA]}, context)
    for again in (TEA, f"{TEA}#top", TEA.upper().replace("/GREEN", "/green")):
        answer = await TOOL.run({"urls": [again]}, context)
        assert isinstance(answer, ToolOutput)
        assert answer.is_known
        assert "Green tea" not in "".join(answer.parts)
    known, rice = await texts({"urls": [TEA, RICE]}, context)
    assert ("Green tea" in known, rice.startswith(f"Retrieved from {RICE}")) == (False, True)
    assert isinstance(await TOOL.run({"urls": [RICE, TEA]}, context), ToolOutput)


async def test_a_page_is_known_by_where_it_was_found_too() -> None:
    for first, then in ((RICE, f"{RICE}new"), (f"{RICE}new", RICE), (TEA, f"{TEA}#top")):
        context = context_of(Library())
        await texts({"urls": [first]}, context)
        answer = await TOOL.run({"urls": [then]}, context)
        assert isinstance(answer, ToolOutput)
        assert answer.is_known


async def test_a_page_that_could_not_be_read_may_be_asked_for_again() -> None:
    context = context_of(Library())
    for _ in range(2):
        with pytest.raises(ToolFailed, match="404"):
            await TOOL.run({"urls": [GONE]}, context)


async def test_three_pages_a_call() -> None:
    library = Library()
    answer = await texts({"urls": [TEA, *(f"{GONE}{number}" for number in range(4))]}, context_of(library))
    assert len(library.asked) == 3
    assert [text.endswith("not read; at most 3 are read in one call.") for text in answer] == [False] * 3 + [True] * 2


async def test_eight_replies_of_the_model_have_pages_read_and_what_was_read_stays() -> None:
    library = Library()
    context = context_of(library, TEA, saw_outside=True)
    await texts({"urls": [TEA]}, context)
    for number in range(MOST_ROUNDS + 2):  # neither pages that exist count, nor refusals
        context.browsing.begin_round()
        await texts({"urls": [TEA, f"https://evil.example/{number}"]}, context)
    context = replace(context, saw_outside=False)
    for number in range(MOST_ROUNDS - 1):
        context.browsing.begin_round()
        for call in range(2):
            with pytest.raises(ToolFailed, match="404"):
                await TOOL.run({"urls": [f"{GONE}{number}-{call}"]}, context)
    context.browsing.begin_round()
    tea, rice = await texts({"urls": [TEA, RICE]}, context)
    assert tea.startswith(f"{TEA}: You have read this page already")
    assert rice.startswith(f"{RICE}: It was not read: for one answer pages are read 8 times")
    with pytest.raises(ToolFailed, match="Answer with what you have"):
        await TOOL.run({"urls": [RICE]}, context)
    assert len(library.asked) == 1 + 2 * (MOST_ROUNDS - 1)


async def test_many_calls_of_one_reply_read_no_more_than_as_many_replies_could() -> None:
    library = Library()
    context = context_of(library)
    calls = [TOOL.run({"urls": [f"{GONE}{number}", f"{GONE}{number}a"]}, context) for number in range(16)]
    await asyncio.gather(*calls, return_exceptions=True)
    assert len(library.asked) == MOST_READ


async def test_a_page_for_which_two_calls_of_one_reply_ask_is_read_once() -> None:
    library = Library()
    context = context_of(library)
    await asyncio.gather(*(texts({"urls": [TEA]}, context) for _ in range(3)))
    assert len(library.asked) == 1


@pytest.mark.parametrize(
    "composed",
    [
        f"{TEA}?q=the-secret",
        f"{TEA}/the-secret",
        "https://the-secret.tea.example/green",
        "https://the-secret@tea.example/green",
        "http://tea.example/green",
        "https://tea.example:8443/green",
        "https://tea.example/green%20the-secret",
        "https://evil.example/the-secret",
    ],
)
async def test_after_text_from_outside_no_address_is_read_that_somebody_composed(composed: str) -> None:
    library = Library()
    context = context_of(library, TEA, saw_outside=True)
    with pytest.raises(ToolFailed, match="nobody here wrote this address"):
        await TOOL.run({"urls": [composed]}, context)
    assert library.asked == []


async def test_after_text_from_outside_what_people_wrote_and_what_was_found_is_read() -> None:
    library = Library()
    context = context_of(library, TEA, saw_outside=True)
    (told,) = await texts({"urls": [f"{TEA}#middle"]}, context)
    assert "Green tea." in told
    (told,) = await texts({"urls": [RICE]}, context)
    assert told.startswith(f"Retrieved from {RICE}")
    assert context.browsing.knows(f"{RICE}new"), "where a page was found is no secret of anybody's"


async def test_the_reader_is_given_a_known_address_as_it_is_known_and_not_as_the_model_spells_it() -> None:
    library = Library()
    context = context_of(library, TEA, RICE, saw_outside=True)
    await texts({"urls": ["HTTPS://TeA.example/green#secret", "https://RICE.example"]}, context)
    assert [url for url, _ in library.asked] == [TEA, RICE]


async def test_a_call_in_which_nothing_was_read_holds_nothing_from_outside() -> None:
    with pytest.raises(ToolFailed, match="404"):
        await TOOL.run({"urls": [GONE]}, context_of(Library()))


@pytest.mark.parametrize("arguments", [{}, {"urls": []}, {"urls": 5}, {"urls": [None, {}]}, {"urls": ""}])
async def test_a_call_without_an_address_is_told_how_it_is_written(arguments: Mapping[str, object]) -> None:
    with pytest.raises(ToolFailed, match="Give the addresses as a list"):
        await TOOL.run(arguments, context_of(Library()))


@pytest.mark.parametrize("arguments", [{"url": TEA}, {"urls": TEA}, {"urls": [f" {TEA} "]}])
async def test_a_call_that_is_written_nearly_right_is_understood(arguments: Mapping[str, object]) -> None:
    assert len(await texts(arguments, context_of(Library()))) == 1


async def test_lines_that_are_no_addresses_are_passed_over_where_others_are() -> None:
    library = Library()
    (tea,) = await texts({"urls": [f"Please read this:\n{TEA}"]}, context_of(library, TEA))
    assert "Green tea" in tea
    assert library.asked == [(TEA, False)]
