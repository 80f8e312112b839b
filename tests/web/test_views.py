"""Every view in every size and theme: nothing is cut off, axe finds nothing, and a picture shows it."""

import re
from itertools import product
from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import ViewportSize, expect

from tests.local.page.visitor import PHONE
from tests.web.console_page import WEB, ConsolePage
from tests.web.owner import Owners

SIZES: dict[str, ViewportSize] = {
    "phone": PHONE,
    "tablet": {"width": 768, "height": 1024},
    "desk": {"width": 1440, "height": 900},
    "wide": {"width": 2560, "height": 1440},
}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
#: the sizes whose elements differ, so that axe has to look at each
LAYOUTS = ("phone", "desk")
#: addresses besides the first one of each view
MORE: tuple[str, ...] = (
    "/conversations/conv-011",
    "/conversations/conv-013",
    "/conversations/conv-1/why/42",
    "/external/lull/503",
    "/memories/person%3A701%3Alull",
    "/nowhere",
    "/people/lull/501",
    "/personas/lull",
    "/personas/moss",
    "/search?q=sea",
    "/trouble/person/555",
)


def addresses() -> list[str]:
    """Return the first address of each view, read from the list of views, and some more."""
    views = WEB / "console" / "views"
    loaded_later = re.findall(r'path: "([^"]+)", .*load: ', (views / "index.js").read_text())
    modules = set(re.findall(r'import\("\./([\w/]+)\.js"\)', (views / "index.js").read_text()))
    assert len(loaded_later) == len(modules) > 10, "each view is one line of index.js"
    return ["/", "/conversations", *sorted(loaded_later), *MORE]


@pytest.mark.parametrize("path", addresses())
async def test_a_view_is_whole_and_can_be_used_by_everybody(
    owners: Owners, console: ConsolePage, pictures: Path, path: str
) -> None:
    owner = await owners.visit()
    await owner.opens(path)
    for size, scheme in product(SIZES, SCHEMES):
        await owner.page.set_viewport_size(SIZES[size])
        await owner.page.emulate_media(color_scheme=scheme)
        await expect(owner.page.locator("html")).to_have_attribute("data-theme", scheme)
        name = re.sub(r"[/?=]+", "-", path.strip("/")) or "home"
        await owner.page.screenshot(path=pictures / f"console-{name}-{size}-{scheme}.png")
        assert await owner.is_sideways() == [], size
        if size in LAYOUTS:
            assert await owner.faults() == [], f"{size}, {scheme}"
    # a text without words is shown as its id
    assert re.findall(r"\b[a-z_]+\.[a-z_]+_[a-z_]+\b", await owner.page.locator(".console").inner_text()) == []


@pytest.mark.parametrize("language", ["de", "ar"])
async def test_long_words_and_writing_from_right_to_left_fit_a_phone(
    owners: Owners, console: ConsolePage, language: str
) -> None:
    console.language = language
    owner = await owners.visit(PHONE)
    for path in addresses():
        await owner.opens(path)
        assert await owner.is_sideways() == [], path


async def test_the_views_are_reached_by_keys(owners: Owners, console: ConsolePage) -> None:
    owner = await owners.visit()
    await owner.settles()
    await owner.page.keyboard.press("Tab")
    await expect(owner.page.locator(".skip")).to_be_focused()
    await owner.page.keyboard.press("Enter")
    await expect(owner.page.locator("main")).to_be_focused()
