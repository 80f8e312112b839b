"""The page at a stranger's first visit."""

from playwright.async_api import expect

from tests.local.page.acted_bot import ActedBot
from tests.local.page.telegram_server import Telegram
from tests.local.page.visitor import Visitor, Visits


async def test_a_world_makes_itself(visitor: Visitor, telegram: Telegram, bot: ActedBot) -> None:
    await expect(visitor.page.get_by_role("heading", name="Say hi to lull")).to_be_visible()
    world = await telegram.world()
    assert [person["first_name"] for person in world["people"]] == ["Ann"]
    assert [(chat["type"], chat["bot_id"]) for chat in world["chats"]] == [("private", bot.id)]


async def test_the_hint_says_hi(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.button("hi, who are you?").click()
    assert (await bot.next("message"))["text"] == "hi, who are you?"
    await expect(visitor.message("hi, who are you?")).to_be_visible()


async def test_a_bot_that_comes_later_appears_by_itself(visits: Visits, telegram: Telegram) -> None:
    visitor = await visits.visit()
    await expect(visitor.page.get_by_text("No agent is here yet")).to_be_visible()
    await telegram.post("/world/bots", token="7000000002:late", first_name="Milo", username="milo_bot")
    await expect(visitor.page.locator(".row-name")).to_have_text("Milo")
    await expect(visitor.page.get_by_role("heading", name="Say hi to Milo")).to_be_visible()


async def test_one_click_starts_a_group_of_three(visitor: Visitor, telegram: Telegram, bot: ActedBot) -> None:
    await visitor.starts_a_group()
    await expect(visitor.page.get_by_role("heading", name="Talk to each other")).to_be_visible()
    group = await telegram.group()
    assert len(group["members"]) == 3
    assert group["bots"] == [bot.id]


async def test_reload_keeps_everything(visitor: Visitor) -> None:
    await visitor.starts_a_group()
    await visitor.becomes("Ben")
    await visitor.writes("I am still here")
    await visitor.page.reload()
    await expect(visitor.message("I am still here")).to_be_visible()
    await expect(visitor.field).to_have_attribute("placeholder", "Write as Ben")


async def test_back_returns_to_the_chat_before(visitor: Visitor) -> None:
    await visitor.starts_a_group()
    await visitor.page.locator(".row").filter(has_text="lull").last.click()
    await expect(visitor.page.locator(".chat-name")).to_have_text("lull")
    await visitor.page.go_back()
    await expect(visitor.page.locator(".chat-name")).to_have_text("Ann, Ben, Cleo")


async def test_two_tabs_make_one_person(visits: Visits, telegram: Telegram, bot: ActedBot) -> None:
    first = await visits.visit()
    second = await first.page.context.new_page()
    await second.goto(first.page.url)
    await expect(second.locator(".app")).to_be_visible()
    assert len((await telegram.world())["people"]) == 1


async def test_lull_is_met_before_other_agents(visits: Visits, telegram: Telegram) -> None:
    """The ids of bots are random; the page does not sort by them."""
    await telegram.post("/world/bots", token="6000000001:x", first_name="Moss", username="moss_bot")
    await telegram.post("/world/bots", token="7000000001:x", first_name="lull", username="lull_bot")
    visitor = await visits.visit()
    await expect(visitor.page.locator(".row-name")).to_have_text(["lull", "Moss"])
    await visitor.starts_a_group()
    assert (await telegram.group())["bots"] == [7_000_000_001]
