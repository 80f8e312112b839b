"""Files are fetched for the model in parallel, in bounded time, and no plan fails because of them."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from shared.base.errors import StoreUnavailable
from shared.media.media_files import MediaFiles
from shared.planning.prompt.scene import Scene
from shared.turn.replier import with_shown_files
from shared.values.media import MediaRef
from shared.values.prepared import PreparedFile, PreparedPart
from shared.values.showing import FileLimits
from tests.shared.planning.prompt.files import file, showing
from tests.shared.planning.prompt.scenes import scene

SEES, BLIND = "gemini-3.8-flash", "qwen2.5-coder"
TALK = scene(showing(1, *map(file, "abc"), album_id="x"), targets=[1])


async def _at_once(_: str) -> None:
    await asyncio.sleep(0)


class Shelf(MediaFiles):
    """Files by their names, each available only after some event."""

    def __init__(self, first: Callable[[str], Awaitable[object]] = _at_once) -> None:
        self.first = first
        self.asked, self.ended = list[str](), list[str]()

    async def prepared_file(self, ref: MediaRef) -> PreparedFile | None:
        name = ref.file_id.removeprefix("id-")
        self.asked.append(name)
        try:
            await self.first(name)
        finally:
            self.ended.append(name)
        return PreparedFile(parts=(PreparedPart("image/jpeg", name.encode()),)) if name != "gone" else None


async def shown(shelf: Shelf, here: Scene = TALK, model: str = SEES, longest_s: float = 30.0) -> list[bytes]:
    found = await with_shown_files(here, model, shelf, FileLimits(), longest_s)
    return [part.content for one in found.attached for part in one.parts]


async def test_the_files_of_a_message_are_fetched_at_once() -> None:
    all_asked = asyncio.Event()

    async def meet(name: str) -> None:
        if len(shelf.asked) == 3:
            all_asked.set()
        await all_asked.wait()

    shelf = Shelf(meet)
    async with asyncio.timeout(20):
        assert await shown(shelf) == [b"a", b"b", b"c"]


async def test_a_model_that_takes_nothing_is_fetched_nothing() -> None:
    shelf = Shelf()
    assert await with_shown_files(TALK, BLIND, shelf, FileLimits()) is TALK
    assert await with_shown_files(TALK, SEES, shelf, FileLimits(pictures=0)) is TALK
    assert await with_shown_files(TALK, SEES, None, FileLimits()) is TALK
    assert shelf.asked == []
    assert await with_shown_files(scene(showing(1, file())), SEES, shelf, FileLimits()) == scene(showing(1, file()))


async def test_what_is_late_is_left_out_and_called_off(caplog: pytest.LogCaptureFixture) -> None:
    never = asyncio.Event()

    async def wait(name: str) -> None:
        await (never.wait() if name == "b" else asyncio.sleep(0))

    caplog.set_level("INFO")
    shelf = Shelf(wait)
    assert await shown(shelf, longest_s=0.05) == [b"a", b"c"]
    assert sorted(shelf.ended) == ["a", "b", "c"]
    assert "without files that did not arrive in time" in caplog.text


@pytest.mark.parametrize("failure", [StoreUnavailable("Ann's secret"), ValueError("Ann's secret")])
async def test_what_fails_is_left_out_and_no_word_of_it_is_logged(
    failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(name: str) -> None:
        if name == "a":
            raise failure

    caplog.set_level("INFO")
    assert await shown(Shelf(fail)) == [b"b", b"c"]
    assert type(failure).__name__ in caplog.text
    assert "secret" not in caplog.text


async def test_whoever_gives_up_the_plan_gives_up_the_files() -> None:
    never, begun = asyncio.Event(), asyncio.Event()

    async def wait(name: str) -> None:
        begun.set()
        await never.wait()

    shelf = Shelf(wait)
    plan = asyncio.create_task(shown(shelf))
    await begun.wait()
    plan.cancel()
    with pytest.raises(asyncio.CancelledError):
        await plan
    assert sorted(shelf.ended) == ["a", "b", "c"]
