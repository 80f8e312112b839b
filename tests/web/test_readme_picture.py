"""The picture of the console in the README."""

import io
from pathlib import Path

from PIL import Image
from playwright.async_api import expect

from tests.web.console_page import ConsolePage
from tests.web.owner import Owners
from tests.web.seaside import ANSWERS, NOW, OPEN

#: the picture's width and height in pixels, and its colours
SIZE, COLOURS = (1280, 800), 128


async def test_three_people_and_lull_in_the_console(owners: Owners, console: ConsolePage, pictures: Path) -> None:
    console.answers |= ANSWERS
    owner = await owners.visit({"width": 1280, "height": 800})
    await owner.page.clock.set_fixed_time(NOW)
    await owner.opens(f"/conversations/{OPEN}")
    await expect(owner.page.get_by_text("its name")).to_be_visible()
    await owner.page.mouse.move(700, 790)
    shot = Image.open(io.BytesIO(await owner.page.screenshot())).convert("RGB")
    shot.resize(SIZE).quantize(COLOURS, dither=Image.Dither.NONE).save(pictures / "console.png", optimize=True)
