"""The parts that both pages share, on a page that shows all of them."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.local.page.visitor import DESKTOP, PHONE
from tests.web.owner import Owner, Owners

HOSTILE = '<img src=x onerror="alert(1)">'


async def show(owner: Owner) -> Page:
    await owner.settles()
    await owner.page.evaluate("import('/gallery/parts.js').then((gallery) => gallery.show())")
    await expect(owner.title).to_have_text("Parts")
    return owner.page


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desk"])
async def test_all_parts_can_be_used_by_everybody(owners: Owners, pictures: Path, size: dict[str, int]) -> None:
    owner = await owners.visit({"width": size["width"], "height": size["height"]})
    page = await show(owner)
    for scheme in ("light", "dark"):
        await page.locator("html").evaluate("(html, scheme) => { html.dataset.theme = scheme }", scheme)
        await page.screenshot(path=pictures / f"parts-{size['width']}-{scheme}.png", full_page=True)
        assert await owner.is_sideways() == []
        assert await owner.faults() == []


async def test_nothing_that_people_write_becomes_markup(owner: Owner) -> None:
    page = await show(owner)
    await expect(page.get_by_text(HOSTILE).first).to_be_visible()
    assert await page.locator("main img").count() == 0


async def test_a_question_names_what_is_lost_and_is_answered_no_by_itself(owner: Owner) -> None:
    page = await show(owner)
    await owner.button("Delete …").click()
    dialog = page.get_by_role("dialog", name="Delete this conversation?")
    await expect(dialog).to_contain_text("12 messages")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.locator(".toast")).to_have_text("Kept")
    await expect(owner.button("Delete …")).to_be_focused()
    await owner.button("Delete …").click()
    await dialog.get_by_role("button", name="Delete").click()
    await expect(page.locator(".toast")).to_contain_text("Deleted")
    await owner.button("Undo").click()
    await expect(page.locator(".toast")).to_have_text("Back again")


async def test_a_text_is_edited_where_it_stands(owner: Owner) -> None:
    page = await show(owner)
    edit = page.get_by_title("Rename the conversation")
    await edit.click()
    field = page.get_by_role("textbox", name="Rename the conversation")
    await field.fill("To the sea")
    await field.press("Escape")
    await expect(edit).to_contain_text("A trip to the sea")
    await expect(edit).to_be_focused()
    await edit.press("Enter")
    await field.fill("  To the sea ")
    await field.press("Enter")
    await expect(edit).to_contain_text("To the sea")


async def test_arrow_keys_move_in_tabs_and_lists(owner: Owner) -> None:
    page = await show(owner)
    await page.get_by_role("tab", name="One").focus()
    await page.keyboard.press("ArrowLeft")
    await expect(page.get_by_role("tab", name="Three")).to_be_focused()
    await expect(page.get_by_text("This is three.")).to_be_visible()
    await page.get_by_role("link", name="Two").focus()
    await page.keyboard.press("ArrowDown")
    await expect(page.get_by_role("link", name="Three")).to_be_focused()
    await page.keyboard.press("Home")
    await expect(page.get_by_role("link", name="One")).to_be_focused()


async def test_the_numbers_of_a_chart_are_in_a_table(owner: Owner) -> None:
    page = await show(owner)
    chart = page.get_by_role("figure", name="Costs by day")
    await chart.get_by_text("Numbers as a table").click()
    row = chart.get_by_role("row").filter(has_text="17 November")
    await expect(row.get_by_role("cell")).to_have_text(["$0.04", "$0.03", "$0.004"])
    tops = "import('/web/parts/charts.js').then((charts) => [0, 0.26, 1, 7, 9].map(charts.topOf))"
    assert await page.evaluate(tops) == pytest.approx([1, 0.3, 1, 8, 10])


async def test_a_form_says_what_is_missing(owner: Owner) -> None:
    page = await show(owner)
    await owner.button("Save").click()
    await expect(page.get_by_role("alert").filter(has_text="Write a limit.")).to_be_visible()
    await page.get_by_label("Limit").fill("3")
    await owner.button("Save").click()
    await expect(page.locator(".toast")).to_have_text("Saved")
