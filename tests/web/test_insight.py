"""Search, the history of a message, and the replay of a moment, in a browser."""

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.local.page.visitor import PHONE
from tests.web.console_page import ConsolePage
from tests.web.owner import Owner, Owners

TURN = "/conversations/conv-1/why/42"
API = "/api/conversations/conv-1/turns/42"


async def test_a_search_marks_what_it_found_and_leads_there(owner: Owner, console: ConsolePage) -> None:
    await owner.settles()
    await owner.page.keyboard.press("/")
    await owner.page.keyboard.type("sea house")
    await owner.page.keyboard.press("Enter")
    await owner.settles()
    marks = owner.page.locator("main mark")
    await expect(marks).to_have_text(["blue house", "sea", "sea"])
    await expect(owner.page.locator("main")).to_contain_text("only words were compared")
    await expect(owner.page.locator("main script")).to_have_count(0)
    result = owner.page.get_by_role("link", name="A trip to the sea")
    await expect(result).to_have_attribute("href", "#/conversations/conv-1?seq=41")


async def test_an_answer_leads_to_the_exact_call_and_its_prompt(
    owners: Owners, console: ConsolePage, pictures: Path
) -> None:
    for size, name in ((None, "desk"), (PHONE, "phone")):
        owner = await (owners.visit(size) if size else owners.visit())
        await owner.opens(TURN)
        steps = owner.page.locator(".why-steps > .step")
        kinds = await steps.evaluate_all("found => found.map((each) => each.dataset.step)")
        assert kinds[:6] == ["update", "wake", "claim", "decision", "prompt", "call"]
        await expect(steps.nth(5)).to_contain_text("gemini-3.8-flash")
        await owner.page.get_by_role("button", name="Show the prompt").first.click()
        await expect(owner.page.locator(".why-turn pre").first).to_contain_text("You are lull")
        for summary in await owner.page.locator("main summary").all():
            await summary.click()
        await owner.page.screenshot(path=pictures / f"console-why-open-{name}.png", full_page=True)
        assert await owner.is_sideways() == []
        assert await owner.faults() == []


async def test_the_events_of_a_turn_are_shown_on_one_axis_and_as_json(
    owners: Owners, console: ConsolePage, pictures: Path
) -> None:
    for size, name in ((None, "desk"), (PHONE, "phone")):
        owner = await (owners.visit(size) if size else owners.visit())
        await owner.opens(TURN)
        link = owner.page.get_by_role("link", name="Logs of this turn")
        await expect(link).to_have_attribute("href", re.compile("^https://console.cloud.google.com/logs/query"))
        for tab, place in (("Timeline", ".why-rows"), ("JSON", ".why-json")):
            await owner.page.get_by_role("tab", name=tab).click()
            await expect(owner.page.locator(f"{place} > li")).to_have_count(11)
            await owner.page.screenshot(path=pictures / f"console-why-{tab.lower()}-{name}.png", full_page=True)
            assert await owner.is_sideways() == []
            assert await owner.faults() == []
        shown = await owner.page.locator(".why-json pre").nth(3).inner_text()
        assert json.loads(shown)["tier"] == "follow-up"
        # the choice is kept for the next turn that is opened
        await owner.opens(TURN)
        await expect(owner.page.locator(".why-json")).to_be_visible()


@pytest.mark.parametrize(("has_hash", "length"), [(True, 5200), (True, 5260), (False, 5260)])
async def test_a_prompt_says_if_the_instruction_changed_since_its_turn(
    owner: Owner, console: ConsolePage, has_hash: bool, length: int
) -> None:
    changed = f"has changed since this turn: it had 5,200 characters, and has {length:,} now."
    if not has_hash:  # an earlier version recorded the turn
        (recorded,) = (one for one in console.answers[f"GET {API}"]["events"] if one["kind"] == "prompt")
        recorded["instruction_hash"] = ""
    await owner.opens(TURN)
    await owner.page.get_by_role("button", name="Show the prompt").first.click()
    await expect(owner.page.locator(".why-turn pre").first).to_contain_text("You are lull")
    await expect(owner.page.locator("main")).not_to_contain_text("has changed since this turn")
    prompt = console.answers[f"GET {API}/prompt"]["prompt"]
    size = next(one for one in prompt["sizes"] if one["format"] == prompt["format"])
    size["layers"]["system"], size["instruction_hash"] = length, "0123456789abcdef"
    await owner.opens(TURN)
    await owner.page.get_by_role("button", name="Show the prompt").first.click()
    await expect(owner.page.get_by_role("status").filter(has_text=changed)).to_be_visible()
    assert await owner.faults() == []


async def test_kinds_of_tasks_have_names_in_the_owners_language(owner: Owner, console: ConsolePage) -> None:
    console.language = "de"
    await owner.opens(TURN)
    await expect(owner.page.locator(".graph .task-top b")).to_have_text(["Nachricht", "Pause", "Reaktion"])
    await expect(owner.page.locator("main")).to_contain_text("Fakt merken, Erinnerung stellen")
    await owner.opens("/personas/lull")
    await expect(owner.page.locator("main")).to_contain_text("Kein Modell macht die Dateien für: Bild zeichnen.")


async def test_settings_have_meanings_in_the_owners_language(owner: Owner, console: ConsolePage) -> None:
    console.language = "de"
    new = {
        "name": "LULL_NEW",
        "value": "7",
        "purpose": "a setting without a translation",
        "is_default": False,
        "is_given": False,
    }
    console.answers["GET /api/deployment"]["settings"].append(new)
    await owner.opens("/deployment")
    await expect(owner.page.locator("main")).to_contain_text("die alle Agenten zusammen an einem UTC-Tag")
    await expect(owner.page.locator('main [lang="en"]')).to_have_text("a setting without a translation")
    assert await owner.faults() == []


@pytest.mark.parametrize(
    ("is_local", "value", "line"),
    [
        (False, '5 "or" ${more}', 'LULL_DAY_USD = "5 \\"or\\" $${more}"'),
        (True, "it's 5", "LULL_DAY_USD='it'\\''s 5' make dev"),
        (True, "5.5", "LULL_DAY_USD=5.5 make dev"),
    ],
)
async def test_a_new_value_of_a_setting_is_checked_and_becomes_a_line_to_copy(
    owner: Owner, console: ConsolePage, is_local: bool, value: str, line: str
) -> None:
    console.answers["GET /api/deployment"]["is_local"] = is_local
    console.answers["POST /api/deployment/check"] = {"problem": "LULL_DAY_USD is wrong (write a number)"}
    await owner.opens("/deployment")
    await owner.button("Change LULL_DAY_USD").click()
    dialog = owner.page.get_by_role("dialog")
    await dialog.get_by_label("New value").fill(value)
    await dialog.get_by_role("button", name="Check").click()
    await expect(dialog.get_by_role("alert")).to_have_text("LULL_DAY_USD is wrong (write a number)")
    console.answers["POST /api/deployment/check"] = {"problem": ""}
    await dialog.get_by_role("button", name="Check").click()
    await expect(dialog.get_by_role("status")).to_contain_text("The value is valid.")
    await expect(dialog.locator("code")).to_have_text(line)
    assert await owner.faults() == []
    await dialog.get_by_role("button", name="Close").click()
    await expect(owner.button("Change LULL_QUEUE")).to_have_count(0)


async def test_a_replay_tells_its_cost_first_and_shows_both_plans(
    owner: Owner, console: ConsolePage, pictures: Path
) -> None:
    await owner.opens(TURN)
    await owner.button("Replay this moment").click()
    dialog = owner.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("It costs at most $0.031, which is charged to you.")
    await dialog.get_by_label("Persona").fill("You are a pirate.")
    await dialog.get_by_role("button", name="Plan again").click()
    await expect(dialog.locator(".why-plan").nth(1)).to_contain_text("Arr, the blue house")
    await expect(dialog.locator(".why-plan").first).to_contain_text("The blue house is free")
    await owner.page.screenshot(path=pictures / "console-why-replay.png")
    assert await console.bodies(f"{API}/replay", 1) == [{"model": "", "persona": "You are a pirate."}]
    assert await owner.faults() == []


async def test_the_words_that_were_sent_are_shown_where_they_were_kept(owner: Owner, console: ConsolePage) -> None:
    turn = {"role": "user", "parts": ["[meta from=Ann]\nIs it free?"], "verbatim": "", "answers": [], "attached": 0}
    exchange = {
        "at": "2026-11-20T10:00:04+00:00", "answers": [141], "system": "You are lull.", "turns": [turn], "tools": [],
        "plan_schema": None, "reply": '{"tasks": []}', "tool_calls": [], "call": None, "problem": "", "cost": 0.002,
    }  # fmt: skip
    console.answers[f"GET {API}/exchanges"] = {"items": [exchange, {**exchange, "reply": "again"}], "next": ""}
    await owner.opens(TURN)
    await owner.page.get_by_role("button", name="Show the prompt").first.click()
    await expect(owner.page.locator("main")).to_contain_text("the words that were really sent")
    await owner.page.get_by_role("tab", name="Model call 2").click()
    await expect(owner.page.locator(".why-turn.is-model pre")).to_have_text("again")
    assert await owner.faults() == []


async def test_keeping_tells_what_it_does_before_it_is_switched_on(owner: Owner, console: ConsolePage) -> None:
    await owner.opens(TURN)
    await owner.page.get_by_role("button", name="Show the prompt").first.click()
    await owner.button("Keep what is sent").click()
    dialog = owner.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("word for word. When the chosen time is over")
    await dialog.get_by_role("button", name="Keep what is sent").click()
    await expect(owner.button("Keep no more")).to_be_visible()
    assert await console.sent(1) == [("/api/keeping", {"agent": "lull", "days": 7})]
