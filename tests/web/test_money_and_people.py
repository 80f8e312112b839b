"""The views of costs, people and external communications: what their buttons ask, send and show."""

import json
from typing import Any

from playwright.async_api import expect

from tests.local.page.visitor import PHONE
from tests.web.console_page import WEB, ConsolePage
from tests.web.owner import Owner, Owners


def words(view: str, name: str) -> str:
    """Return an English text of a view."""
    found = json.loads((WEB / "console" / "words" / "en" / f"{view}.json").read_text())[name]
    return str(found)


async def test_costs_are_shown_by_purpose_person_chat_and_model(owners: Owners, console: ConsolePage) -> None:
    owner = await owners.visit(PHONE, "/costs")
    await owner.settles()
    await expect(owner.page.get_by_text("$5.84")).to_be_visible()
    for tab, row in (("Person", "Ann Marlow"), ("Chat", "Trip to Lviv"), ("Model", "gemini-3.8-flash")):
        await owner.page.get_by_role("tab", name=tab).click()
        await expect(owner.page.get_by_role("tabpanel")).to_contain_text(row)
    await expect(owner.page.locator("main script")).to_have_count(0)


async def test_a_limit_is_lowered_in_a_dialog(owners: Owners, console: ConsolePage) -> None:
    owner = await owners.visit(path="/costs")
    await owner.settles()
    limits = console.answers["GET /api/costs/limits"]
    rows = [{**row, "limit": 3.0, "own": 3.0} if row["name"] == "month_usd" else row for row in limits["deployment"]]
    console.answers["POST /api/costs/limits"] = {**limits, "deployment": rows}
    await owner.button("Change: The whole deployment").click()
    await expect(owner.page.get_by_label("Dollars a day")).to_have_value("0.25")
    await owner.page.get_by_label("Dollars a month").fill("9")
    await owner.button("Save").click()
    assert await console.bodies("/api/costs/limits", 0) == [], (
        "the field says that the setting is the highest possible value"
    )
    await owner.page.get_by_label("Dollars a month").fill("3")
    await owner.button("Save").click()
    await expect(owner.page.get_by_text("lowered here from $5.00")).to_be_visible()
    given = {"day_usd": 0.25, "month_usd": 3}
    assert await console.bodies("/api/costs/limits", 1) == [{"part": "deployment", "limits": given}]


async def test_a_limit_that_is_refused_stays_in_the_dialog(owners: Owners, console: ConsolePage) -> None:
    owner = await owners.visit(path="/costs")
    await owner.settles()
    console.answers["POST /api/costs/limits"] = (400, {"code": "share_only_lower", "values": {"share": 0.3}})
    await owner.button("Change: Cheaper model near a limit").click()
    await owner.page.get_by_label("Percent of a limit").fill("40")
    await owner.button("Save").click()
    await expect(owner.page.get_by_role("alert")).to_have_text(
        "The settings say 30%. Here you can only lower the share."
    )
    assert await console.bodies("/api/costs/limits", 1) == [{"soft_share": 0.4}]
    owners.expect_problem("400")


async def test_a_month_without_costs_says_so(owners: Owners, console: ConsolePage) -> None:
    empty = {"usd": 0, "answers": 0, "calls": 0}
    costs = console.answers["GET /api/costs"]
    nothing: dict[str, Any] = {key: [] for key in ("agents", "purposes", "models", "people", "chats")}
    console.answers["GET /api/costs"] = {**costs, "total": empty, "today": empty, "forecast": None, **nothing}
    owner = await owners.visit(path="/costs")
    await owner.settles()
    await expect(owner.page.get_by_text(words("costs", "none"))).to_be_visible()


async def test_who_waits_is_let_in_at_once_and_blocked_after_a_question(owners: Owners, console: ConsolePage) -> None:
    console.answers |= {f"POST /api/people/lull/request/{name}": {"done": "it"} for name in ("r1", "r2")}
    owner = await owners.visit(path="/people")
    await owner.settles()
    waiting = owner.page.get_by_role("listitem").filter(has_text="Eve")
    await waiting.get_by_role("button", name="Let in").click()
    await expect(waiting).to_contain_text(words("people", "chosen_let_in"))
    assert await console.bodies("/api/people/lull/request/r1", 1) == [{"action": "let_in"}]
    group = owner.page.get_by_role("listitem").filter(has_text="Noor")
    await group.get_by_role("button", name="Leave the group").click()
    await owner.button("Cancel").click()
    assert await console.bodies("/api/people/lull/request/r2", 0) == []
    await group.get_by_role("button", name="Leave the group").click()
    await owner.page.get_by_role("dialog").get_by_role("button", name="Leave the group").click()
    await expect(group).to_contain_text(words("people", "chosen_leave"))
    assert await console.bodies("/api/people/lull/request/r2", 1) == [{"action": "leave"}]


async def test_an_invitation_is_made_and_its_link_is_shown_once(owners: Owners, console: ConsolePage) -> None:
    link = "https://t.me/lull_bot?start=invite_abc"
    made = {"link": link, "id": "n", "until": "2027-11-17T09:00:00+00:00", "most": 3}
    console.answers["POST /api/people/lull/invite"] = made
    owner = await owners.visit(path="/people")
    await owner.settles()
    await owner.button("Invite").click()
    await owner.page.get_by_label("For how many people").fill("3")
    await owner.button("Make a link").click()
    await expect(owner.page.get_by_role("dialog")).to_contain_text(link)
    assert await console.bodies("/api/people/lull/invite", 1) == [{"people": 3, "days": 7}]
    await owner.page.keyboard.press("Escape")
    await expect(owner.page.get_by_text(link)).to_have_count(0)


async def test_a_person_is_muted_and_blocked_on_their_page(owners: Owners, console: ConsolePage) -> None:
    console.answers["POST /api/people/lull/person/501"] = {"done": "block"}
    console.answers["POST /api/people/lull/chat/0a1b.lull.501.0"] = {"done": True}
    owner = await owners.visit(path="/people/lull/501")
    await owner.settles()
    async with owner.page.expect_response("**/api/people/lull/chat/0a1b.lull.501.0"):
        await owner.button("Mute").click()
    await owner.button("Block").click()
    async with owner.page.expect_response("**/api/people/lull/person/501"):
        await owner.page.get_by_role("dialog").get_by_role("button", name="Block").click()
    await expect(owner.page.get_by_role("status").filter(has_text=words("people", "ordered")).last).to_be_visible()
    assert await console.bodies("/api/people/lull/chat/0a1b.lull.501.0", 1) == [{"on": True}]
    assert await console.bodies("/api/people/lull/person/501", 1) == [{"action": "block"}]


async def test_a_rule_for_strangers_is_chosen(owners: Owners, console: ConsolePage) -> None:
    rules = console.answers["GET /api/external/rules"]
    first, *others = rules["agents"]
    changed = {**first, "private": {"persona": "ask", "own": "ignore"}}
    console.answers["POST /api/external/lull/rules"] = {"agents": [changed, *others]}
    owner = await owners.visit(PHONE, "/external")
    await owner.settles()
    choice = owner.page.get_by_label(words("external", "private_label"))
    await choice.select_option(label="get no answer")
    await expect(owner.page.get_by_role("status").filter(has_text=words("external", "saved"))).to_be_visible()
    await expect(choice).to_have_value("ignore")
    assert await console.bodies("/api/external/lull/rules", 1) == [
        {"private": "ignore", "groups": "leave", "fellows": True}
    ]


async def test_each_tier_has_its_rule_and_its_limits(owners: Owners, console: ConsolePage) -> None:
    first, *others = console.answers["GET /api/external/rules"]["agents"]
    console.answers["POST /api/external/lull/rules"] = {"agents": [{**first, "fellows": False}, *others]}
    owner = await owners.visit(PHONE, "/external")
    await owner.settles()
    tiers = {tier: owner.page.get_by_role("listitem").filter(has_text=words("external", f"tier_{tier}")) for tier in
             ("known", "stranger", "blocked")}  # fmt: skip
    await expect(tiers["known"]).to_contain_text("Each person at most: $0.50 a day")
    await expect(tiers["stranger"].last).to_contain_text("Each person at most: 5 answers a day")
    await expect(tiers["blocked"].get_by_role("link")).to_have_attribute("href", "#/people")
    choice = owner.page.get_by_label(words("external", "fellows_label"))
    await expect(choice).to_have_value("known")
    await choice.select_option(label="count as strangers")
    await expect(choice).to_have_value("stranger")
    assert await console.bodies("/api/external/lull/rules", 1) == [{"private": "", "groups": "leave", "fellows": False}]


async def test_a_strangers_words_are_shown_as_text(owner: Owner) -> None:
    await owner.opens("/external/lull/503")
    await expect(owner.title).to_have_text("Eve <script>alert(1)</script>")
    await expect(owner.page.get_by_text("not answered").first).to_be_visible()
    await expect(owner.page.locator("main script")).to_have_count(0)


async def test_only_the_owners_offers_can_be_accepted(owners: Owners, console: ConsolePage) -> None:
    owner = await owners.visit(path="/approvals")
    await owner.settles()
    await expect(owner.button("Accept")).to_have_count(2)
    await owner.button("Accept").first.click()
    await expect(owner.page.locator(".toast")).to_contain_text("It is being done now")
    assert await console.bodies("/api/offers/5.lull.700.0/xxxxxxxxxxxxxxxx/accept", 1) == [{"place": 0}]


async def test_requests_of_several_agents_say_for_which_and_are_decided(owners: Owners, console: ConsolePage) -> None:
    first, second = console.answers["GET /api/approvals"]["requests"]
    both = [first, {**second, "agent": "moss"}]
    console.answers["GET /api/approvals"] = {"requests": both, "offers": []}
    console.answers["POST /api/people/moss/request/r2"] = {"done": "let_in"}
    owner = await owners.visit(path="/approvals")
    await owner.settles()
    asked = owner.page.locator(".items > li", has_text="moss")
    await asked.get_by_role("button", name="Let in").click()
    await expect(asked.get_by_role("status")).to_be_visible()
    assert await console.bodies("/api/people/moss/request/r2", 1) == [{"action": "let_in"}]
    console.answers["GET /api/approvals"] = {"requests": [], "offers": []}
    await owner.opens("/approvals")
    await expect(owner.page.get_by_text(words("approvals", "none"))).to_be_visible()
