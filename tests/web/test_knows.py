"""What the agents know, on the page: memories, summaries, media. Each button tells first what it does."""

from playwright.async_api import expect

from tests.web.console_page import ConsolePage
from tests.web.owner import Owners

ANN = "/memories/person%3A701%3Alull"


async def test_a_fact_is_deleted_after_a_question_and_comes_back(owners: Owners, console: ConsolePage) -> None:
    owner = await owners.visit(path=ANN)
    await owner.button("Delete: Ann is allergic to nuts.").click()
    dialog = owner.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("does not learn it again")
    assert await console.sent(0) == []
    await dialog.get_by_role("button", name="Delete").click()
    async with owner.page.expect_response("**/api/memories/undo"):
        await owner.button("Undo").click()
    (deleted, first), (undone, second) = await console.sent(2)
    assert (deleted, first) == ("/api/memories/delete", {"owner": "person:701:lull", "memory": "mnuts"})
    assert (undone, second["owner"]) == ("/api/memories/undo", "person:701:lull")


async def test_a_fact_is_edited_and_moved_where_the_rules_allow(owners: Owners, console: ConsolePage) -> None:
    owner = await owners.visit(path=ANN)
    await owner.button("Edit: Ann is allergic to nuts.").click()
    await owner.page.get_by_role("textbox", name="Fact").fill("Ann is allergic to walnuts.")
    await owner.page.get_by_role("dialog").get_by_role("button", name="Save").click()
    await expect(owner.page.get_by_role("dialog")).to_have_count(0)
    await owner.button("Move: Ann is allergic to nuts.").click()
    await owner.page.get_by_role("menuitem", name="To Friends & neighbours of Oak Street").click()
    await expect(owner.page.locator(".toast")).to_contain_text("Moved to Friends")
    assert [body.get("text", body.get("to")) for _, body in await console.sent(2)] == [
        "Ann is allergic to walnuts.",
        "chat:-100500:0:lull",
    ]


async def test_a_fact_is_kept_from_groups(owners: Owners, console: ConsolePage) -> None:
    owner = await owners.visit(path=ANN)
    await expect(owner.button("Use in groups: Ann is allergic to nuts.")).to_have_count(0)
    await owner.button("Don't use in groups: Ann is allergic to nuts.").click()
    await expect(owner.page.locator(".toast")).to_contain_text("Groups no longer see it")
    assert await console.sent(1) == [
        ("/api/memories/share", {"owner": "person:701:lull", "memory": "mnuts", "is_shared": False})
    ]


async def test_what_a_model_costs_is_told_before(owners: Owners, console: ConsolePage) -> None:
    owner = await owners.visit(path="/media")
    await owner.button("Describe again: 💻 MrRibbit").click()
    dialog = owner.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("at most $0.021")
    await expect(dialog).to_contain_text("you pay for it. The current text is used until")
    await dialog.get_by_role("button", name="Describe again").click()
    await expect(owner.page.locator(".toast")).to_contain_text("is describing the file")
    await owner.opens("/summaries")
    await owner.button("Make again").first.click()
    await expect(owner.page.get_by_role("dialog")).to_contain_text("at most about $0.0087")
    await owner.button("Cancel").click()
    assert await console.sent(1) == [("/api/media/again", {"file": "AgADfrog", "agent": "lull"})]


async def test_a_description_is_written_beside_the_picture(owners: Owners, console: ConsolePage) -> None:
    owner = await owners.visit(path="/media")
    await owner.button("Write a description: 💻 MrRibbit").click()  # the model's text is where one begins
    dialog = owner.page.get_by_role("dialog")
    await expect(dialog.locator("img")).to_be_visible()
    field = dialog.get_by_label("By hand")
    await expect(field).to_have_value("A cartoon frog with a grumpy expression types on a laptop.")
    await field.fill("Mr Ribbit works late.")
    await dialog.get_by_role("button", name="Save").click()
    await expect(owner.page.locator(".toast")).to_contain_text("Your description is used")
    assert await console.sent(1) == [
        ("/api/media/edit", {"file": "AgADfrog", "agent": "lull", "text": "Mr Ribbit works late."})
    ]
    await owner.button("Play").click()
    await expect(owner.button("Stop")).to_be_visible()


async def test_a_rebuild_is_stopped_and_the_next_one_tells_its_price(owners: Owners, console: ConsolePage) -> None:
    owner = await owners.visit(path="/summaries")
    await expect(owner.page.get_by_text("420 of 1,310 conversations")).to_be_visible()
    await owner.button("Stop").click()
    console.answers["GET /api/rebuild"] = {"running": None}
    await owner.page.get_by_role("dialog").get_by_role("button", name="Stop").click()
    await owner.button("What would it cost?").click()
    await owner.button("Only the search index ($0.05)").click()
    await expect(owner.page.get_by_role("dialog")).to_contain_text("1,310 conversations")
    async with owner.page.expect_response("**/api/rebuild/start"):
        await owner.page.get_by_role("dialog").get_by_role("button", name="Rebuild").click()
    await expect(owner.page.get_by_role("dialog")).to_have_count(0)
    assert await console.sent(2) == [("/api/rebuild/stop", {}), ("/api/rebuild/start", {"with_model": False})]


async def test_a_failure_is_told_and_asked_again(owners: Owners, console: ConsolePage) -> None:
    kept = console.answers["GET /api/memories"]
    failure = {"code": "did_not_work", "values": {"why": "Firestore did not list memories"}}
    console.answers["GET /api/memories"] = (503, failure)
    owner = await owners.visit(path="/memories")
    await expect(owner.page.get_by_role("alert")).to_contain_text("Firestore did not list memories.")
    console.answers["GET /api/memories"] = kept | {"items": []}
    await owner.button("Try again").click()
    await expect(owner.page.get_by_text("Nothing is remembered yet.")).to_be_visible()
    owners.expect_problem("503")
