"""Three people and the agent in one group, played by one visitor."""

from playwright.async_api import expect

from tests.local.page.acted_bot import ActedBot, acted_bot
from tests.local.page.telegram_server import Telegram
from tests.local.page.visitor import Visitor, Visits


async def test_three_people_talk_and_the_mention_is_answered(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.starts_a_group()
    await visitor.writes("Shall we meet on Friday?")
    await visitor.becomes("Ben")
    await visitor.writes("Saturday is better")
    await visitor.becomes("Cleo")
    await visitor.writes("@lull_bot what do you think?")
    message = await bot.next("message")
    assert (message["from"]["first_name"], message["text"]) == ("Cleo", "@lull_bot what do you think?")
    await bot.says(message["chat"]["id"], "Friday, then.")
    names = visitor.page.locator(".group-name")
    await expect(names).to_have_text(["Ann", "Ben", "lullbot"])
    await expect(visitor.page.locator(".group.is-mine .message")).to_have_count(1)
    await visitor.becomes("Ann")
    await expect(names).to_have_text(["Ben", "Cleo", "lullbot"])


async def test_messages_of_one_person_in_a_row_share_a_name(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.starts_a_group()
    await visitor.writes("one")
    await visitor.writes("two")
    await visitor.becomes("Ben")
    await expect(visitor.page.locator(".group-name")).to_have_text(["Ann"])
    await expect(visitor.messages).to_have_count(2)


async def test_what_others_wrote_is_counted_until_it_is_seen(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.starts_a_group()
    await visitor.writes("for you both")
    await visitor.writes("really")
    await visitor.page.locator(".row").filter(has_text="lull").last.click()
    await visitor.page.locator(".you-are").click()
    await visitor.page.get_by_role("menuitemradio", name="Ben").click()
    row = visitor.page.locator(".row").filter(has_text="Ann, Ben, Cleo")
    await expect(row.locator(".badge")).to_have_text("2 unread")
    await row.click()
    await expect(row.locator(".badge")).to_have_count(0)


async def test_an_at_sign_offers_who_can_be_mentioned(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.starts_a_group()
    await visitor.field.press_sequentially("hello @lu")
    await expect(visitor.page.get_by_role("option")).to_contain_text("@lull_bot")
    await visitor.field.press("Tab")
    await expect(visitor.field).to_have_value("hello @lull_bot ")
    await visitor.field.press_sequentially("@")
    await visitor.field.press("Escape")
    await expect(visitor.page.get_by_role("option")).to_have_count(0)
    await expect(visitor.field).to_have_value("hello @lull_bot @")


async def test_two_people_side_by_side(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.starts_a_group()
    await visitor.button("Open another person's view beside").click()
    await visitor.page.get_by_role("menuitem", name="Ben").click()
    fields = visitor.page.locator("textarea")
    await expect(fields).to_have_count(2)
    await fields.nth(0).fill("left to right")
    await fields.nth(0).press("Enter")
    await fields.nth(1).fill("right to left")
    await fields.nth(1).press("Enter")
    left, right = (visitor.page.locator(".pane").nth(side) for side in (0, 1))
    await expect(left.locator(".is-mine .text")).to_have_text("left to right")
    await expect(right.locator(".is-mine .text")).to_have_text("right to left")
    await visitor.page.reload()
    await expect(visitor.page.locator("textarea")).to_have_count(2)
    await visitor.button("Close this view").last.click()
    await expect(visitor.page.locator("textarea")).to_have_count(1)


async def test_a_new_person_is_made_and_played(visitor: Visitor, telegram: Telegram, bot: ActedBot) -> None:
    await visitor.button("New").click()
    await visitor.page.get_by_role("menuitem", name="New person …").click()
    await visitor.page.get_by_label("First name").fill("Dora")
    await visitor.page.get_by_label("Username").fill("dora_explains")
    await visitor.button("Create and become this person").click()
    await expect(visitor.page.locator(".you-are")).to_contain_text("Dora")
    await visitor.writes("I am new")
    assert (await bot.next("message"))["from"]["username"] == "dora_explains"


async def test_a_group_with_topics(visitor: Visitor, telegram: Telegram, bot: ActedBot) -> None:
    await visitor.button("New").click()
    await visitor.page.get_by_role("menuitem", name="New group …").click()
    await visitor.page.get_by_label("Name", exact=True).fill("Garden")
    await visitor.page.get_by_label("With topics (a forum)").check()
    await visitor.button("Create the group").click()
    await expect(visitor.page.locator(".chat-name")).to_have_text("Garden")
    await visitor.button("Topic").click()
    await visitor.page.get_by_label("Name", exact=True).fill("Roses")
    await visitor.button("Create the topic").click()
    await expect(visitor.button("Roses")).to_have_attribute("aria-current", "true")
    await visitor.writes("@lull_bot how often to water?")
    message = await bot.next("message")
    assert message["is_topic_message"]
    await bot.says(message["chat"]["id"], "Once a week.", message_thread_id=message["message_thread_id"])
    await expect(visitor.message("Once a week.")).to_be_visible()
    await visitor.button("General").click()
    await expect(visitor.message("Once a week.")).to_have_count(0)


async def test_people_come_and_go(visitor: Visitor, telegram: Telegram, bot: ActedBot) -> None:
    await visitor.starts_a_group()
    await visitor.page.get_by_role("tab", name="About this chat").click()
    await visitor.button("Remove Ben").click()
    await expect(visitor.page.locator(".service").last).to_contain_text("Ben")
    assert len((await telegram.group())["members"]) == 2
    await visitor.button("Add someone").click()
    await visitor.page.get_by_role("menuitem", name="Ben").click()
    await expect(visitor.button("Remove Ben")).to_be_visible()


async def test_a_group_that_becomes_a_supergroup_stays_open(visitor: Visitor, telegram: Telegram) -> None:
    await visitor.starts_a_group()
    await visitor.page.get_by_role("tab", name="About this chat").click()
    await visitor.button("Upgrade to a supergroup").click()
    await expect(visitor.page.locator(".about-head")).to_contain_text("Supergroup")
    await visitor.writes("we have moved")


async def test_a_channel_s_direct_messages_are_no_group(visitor: Visitor, telegram: Telegram) -> None:
    world = await telegram.world()
    people, bots = ([one["id"] for one in world[kind]] for kind in ("people", "bots"))
    made = {"type": "supergroup", "title": "The channel", "direct": True}
    await telegram.post("/world/chats", **made, members=people, bots=bots, admins=bots)
    await visitor.page.locator(".row", has_text="The channel").click()
    await visitor.page.get_by_role("tab", name="About this chat").click()
    await expect(visitor.page.locator(".about-head")).to_contain_text("Direct messages to a channel")


async def test_a_blocked_agent_can_be_unblocked(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.page.get_by_role("tab", name="About this chat").click()
    await visitor.button("Block this agent").click()
    await expect(visitor.page.get_by_text("You have blocked")).to_be_visible()
    await visitor.button("Unblock").click()
    await visitor.writes("friends again")


async def test_two_agents_have_chats_and_colours_of_their_own(visitor: Visitor, telegram: Telegram) -> None:
    async with acted_bot(telegram.client, 7_000_000_009, first_name="Milo", username="milo_bot") as milo:
        await visitor.page.locator(".row").filter(has_text="Milo").click()
        await visitor.writes("hi Milo")
        assert (await milo.next("message"))["text"] == "hi Milo"
        tones = await visitor.page.locator(".row .avatar").evaluate_all("all => all.map((each) => each.className)")
        assert len(set(tones)) == 2


async def test_two_visitors_see_each_other_live(visitor: Visitor, visits: Visits, bot: ActedBot) -> None:
    await visitor.starts_a_group()
    other = await visits.visit()
    await other.page.locator(".row").filter(has_text="Ann, Ben, Cleo").click()
    await visitor.writes("do you see this?")
    await expect(other.message("do you see this?")).to_be_visible()


async def test_a_post_of_the_linked_channel_bears_its_name(telegram: Telegram, visitor: Visitor) -> None:
    await visitor.starts_a_group()
    group = await telegram.group()
    (await telegram.client.post(f"/world/chats/{group['key']}/migrate")).raise_for_status()
    key = f"g{abs((await telegram.group())['migrated_to'])}"
    await telegram.post(f"/world/chats/{key}/posts", channel="News", text="Tea is cheaper")
    await visitor.picks("Tea is cheaper", "Reply")
    await expect(visitor.page.locator(".answering")).to_contain_text("Reply to News")
    await visitor.writes("at last")
    await expect(visitor.message("at last").locator(".reply-name")).to_have_text("News")
    await expect(visitor.page.locator(".group", has_text="Tea is cheaper").locator(".group-name")).to_have_text("News")
    await expect(visitor.page.get_by_text("Someone who left")).to_have_count(0)
