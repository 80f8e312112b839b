"""Turns, the owner's records, and what is deployed."""

import re

from playwright.async_api import expect

from tests.web.console_page import ConsolePage
from tests.web.owner import Owner


async def test_records_tell_each_act_by_the_label_of_its_button(owner: Owner) -> None:
    await owner.opens("/records")
    rows = owner.page.locator("main .items > li")
    await expect(rows).to_have_count(7)
    await expect(rows.filter(has_text="Signed in")).to_have_count(2)
    await expect(rows.filter(has_text="Memories · Delete")).to_have_count(1)
    why = owner.page.get_by_role("link", name="Why · Show what was sent")
    await expect(why).to_have_attribute("href", "#/conversations/conv-1/why/42")
    # an act that this page does not know is told by its own name
    await expect(rows.filter(has_text="something_new")).to_have_count(1)


async def test_every_act_that_the_page_names_has_its_texts(owner: Owner, console: ConsolePage) -> None:
    acts = await owner.page.evaluate("import('/web/console/views/records.js').then((it) => Object.keys(it.ACTS))")
    assert len(acts) > 50
    items = [
        {"id": act, "at": "2026-11-30T12:00:00+00:00", "action": act, "about": "", "conversation": "", "seq": None}
        for act in acts
    ]
    console.answers["GET /api/records"] = {"items": items, "next": "", "kept_days": 90}
    await owner.opens("/records")
    told = await owner.page.locator("main .item-name").all_inner_texts()
    assert len(told) == len(acts)
    assert [one for one in told if "." in one or " · " not in one] == []


async def test_the_settings_that_were_changed_are_shown_first(owner: Owner) -> None:
    await owner.opens("/deployment")
    settings = owner.page.locator(".section", has=owner.page.get_by_role("heading", name="Settings"))
    await expect(settings.locator(".items > li")).to_have_count(2)
    await settings.get_by_label("Show").select_option("all")
    await expect(settings.locator(".items > li")).to_have_count(3)
    logs = owner.page.get_by_role("link", name="Logs of describe_media")
    await expect(logs).to_have_attribute("rel", "noopener noreferrer")


async def test_turns_are_chosen_and_marked(owner: Owner, console: ConsolePage) -> None:
    await owner.opens("/turns")
    rows = owner.page.locator("main .items > li")
    await expect(rows).to_have_count(3)
    await expect(rows.first.get_by_role("link", name="Why")).to_have_attribute("href", "#/conversations/conv-1/why/41")
    await rows.nth(1).get_by_role("button", name="Right or wrong?").click()
    await owner.page.locator("[role^=menuitem]").first.click()
    (body,) = await console.bodies("/api/conversations/conv-2/marks", 1)
    assert (body["seq"], body["verdict"]) == (12, "right")
    console.answers["POST /api/turns"] = console.answers["POST /api/turns (failed)"]
    await owner.page.get_by_label("Show").select_option("failed")
    await expect(rows).to_have_count(1)
    assert {"kind": "failed"} in await console.bodies("/api/turns", 2)
    await expect(rows).to_contain_text("message is too long")
    assert await owner.faults() == []


async def test_a_reason_of_the_metrics_leads_to_its_turns(owner: Owner, console: ConsolePage) -> None:
    await owner.opens("/metrics")
    await owner.page.get_by_role("link", name="not addressed").first.click()
    await expect(owner.page).to_have_url(re.compile(r"#/turns\?kind=silent&tier=none&reason=not"))
    await expect(owner.page.get_by_text("Reason: not addressed")).to_be_visible()
    (asked,) = await console.bodies("/api/turns", 1)
    assert asked == {"kind": "silent", "tier": "none", "reason": "not addressed"}
