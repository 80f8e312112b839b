"""The side panel in the browser, with lull's work in the running local cloud."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from local.bots import set_webhooks
from tests.local.page.visitor import PHONE, Desks, Visitor, Visits
from tests.shared.reader.web.hostile import HostileServer
from tests.stories.play import Chat, Person, Sandbox

TEA = "<html><head><title>Tea</title></head><body><article><p>{}</p></article></body></html>"


@pytest.fixture
async def cloud_visits(desks: Desks, sandbox: Sandbox) -> AsyncIterator[Visits]:
    visits = Visits(desks, sandbox.cloud.telegram_url)
    yield visits
    await visits.close()
    assert visits.problems == []


def shows_commands(cloud: Any) -> None:
    """Register an agent's commands with its bot, as every deployment does but a test's cloud does not."""
    token = {"lull": cloud.tokens["lull"]}
    set_webhooks(cloud.telegram_url, token, cloud.webhook_url, cloud.webhook_secret)


async def at_the_page(visits: Visits, person: Person, chat: Chat) -> Visitor:
    return await visits.visit(path=f"/#/{person.id}/{chat.key}")


def step(visitor: Visitor, name: str) -> Locator:
    return visitor.page.locator(f'[data-step="{name}"]')


async def test_a_message_is_followed_to_the_prompt_and_the_raw_reply(
    sandbox: Sandbox, cloud_visits: Visits, pictures: Path
) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    visitor = await at_the_page(cloud_visits, ann, chat)
    await sandbox.model.will_plan(
        {"id": "hello", "kind": "send", "text": "Hi, I am **lull**."},
        {"id": "heart", "kind": "react", "emoji": "❤", "message_id": 1, "depends_on": ["hello"]},
        {"id": "later", "kind": "wait", "seconds": 3600, "depends_on": ["hello"]},
        {"id": "more", "kind": "send", "text": "Are you still there?", "depends_on": ["later"]},
        hold=f"until-seen-{chat.id}",
    )
    await visitor.writes("hi, a quince question: who are you?")
    await expect(visitor.page.get_by_test_id("typing")).to_be_visible()
    await sandbox.model.go_on(f"until-seen-{chat.id}")
    await expect(visitor.message("Hi, I am lull").locator("strong")).to_have_text("lull")
    await expect(step(visitor, "Update")).to_contain_text("read")
    await expect(step(visitor, "Decision")).to_contain_text("answer")
    await expect(step(visitor, "Decision")).to_contain_text(
        "searched, because the message asks about something that is not shown: 0 of"
    )
    await expect(step(visitor, "Plan")).to_contain_text("4 tasks")
    await expect(visitor.button("Task 1: send, done")).to_be_visible()
    await expect(visitor.button("Task 4: send, planned, after 3")).to_be_visible()
    await expect(step(visitor, "Deliveries")).to_contain_text("confirmed")
    await visitor.button("Task 3: wait, planned, after 1").click()
    await expect(visitor.page.get_by_test_id("task")).to_contain_text("Not before")
    await visitor.page.screenshot(path=pictures / "panel-desktop.png")
    await visitor.button("Prompt and reply").click()
    dialog = visitor.page.get_by_role("dialog", name="Prompt and reply")
    await expect(dialog.locator(".turn.is-user").last).to_contain_text("quince")
    await visitor.page.screenshot(path=pictures / "prompt-desktop.png")
    await dialog.get_by_role("tab", name="Reply").click()
    await expect(dialog.locator(".turn.is-model")).to_contain_text("Are you still there?")
    await dialog.get_by_role("tab", name="Raw JSON").click()
    await expect(dialog.locator(".raw").first).to_contain_text('"contents"')
    await visitor.page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)


async def test_what_lull_says_by_itself_is_followed_too(sandbox: Sandbox, cloud_visits: Visits) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    visitor = await at_the_page(cloud_visits, ann, chat)
    await sandbox.model.will_plan({"kind": "schedule", "text": "Time for quinces!", "after": "3 seconds"})
    await visitor.writes("remind me of the quinces")
    await expect(visitor.message("⏰")).to_be_visible()
    await expect(visitor.page.locator(".subject")).to_contain_text("Time for quinces!")
    await expect(visitor.page.get_by_test_id("progress")).to_have_text("lull sent this")
    await expect(step(visitor, "Plan").get_by_role("button")).to_contain_text("Time for quinces!")
    await sandbox.model.will_say("You are welcome.")
    await visitor.writes("thank you")
    await expect(visitor.page.locator(".subject")).to_contain_text("thank you")
    await expect(visitor.message("You are welcome.")).to_be_visible()


async def test_silence_is_a_decision_with_its_reason(sandbox: Sandbox, cloud_visits: Visits) -> None:
    ann, ben = await sandbox.person("Ann"), await sandbox.person("Ben")
    chat = await sandbox.group([ann, ben])
    visitor = await at_the_page(cloud_visits, ann, chat)
    await visitor.writes("Ben, did you bring the bread?")
    await expect(visitor.page.get_by_test_id("progress")).to_have_text("no answer wanted")
    await expect(step(visitor, "Decision")).to_contain_text("stay silent")
    await expect(step(visitor, "Plan")).to_have_count(0)


async def test_a_reply_that_could_not_be_used_is_shown_with_why(sandbox: Sandbox, cloud_visits: Visits) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    visitor = await at_the_page(cloud_visits, ann, chat)
    await sandbox.model.will({"text": "no plan at all"})
    await sandbox.model.will_say("A plan after all.")
    await visitor.writes("try twice")
    await expect(visitor.message("A plan after all.")).to_be_visible()
    await expect(step(visitor, "Model calls")).to_contain_text("2, 1 failed")
    await expect(step(visitor, "Model calls").locator(".why")).to_be_visible()
    await visitor.button("Prompt and reply").first.click()
    dialog = visitor.page.get_by_role("dialog", name="Prompt and reply")
    await expect(dialog.get_by_label("Call")).to_have_value("0")
    await dialog.get_by_role("tab", name="Reply").click()
    await expect(dialog.locator(".turn.is-model")).to_contain_text("no plan at all")


async def test_an_older_message_is_looked_at_by_its_menu(sandbox: Sandbox, cloud_visits: Visits) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    visitor = await at_the_page(cloud_visits, ann, chat)
    for number in ("first", "second"):
        await sandbox.model.will_say(f"The {number} answer.")
        await visitor.writes(f"The {number} question?")
        await expect(visitor.message(f"The {number} answer.")).to_be_visible()
    await visitor.picks("The first question?", "What lull did")
    await expect(visitor.page.locator(".subject")).to_contain_text("The first question?")
    await expect(step(visitor, "Answer")).to_contain_text("The first answer.")
    await visitor.button("Prompt and reply").first.click()
    dialog = visitor.page.get_by_role("dialog", name="Prompt and reply")
    await expect(dialog.locator(".turn.is-user").last).to_contain_text("The first question?")
    await visitor.page.keyboard.press("Escape")
    await visitor.picks("The first answer.", "What lull did")
    await expect(visitor.page.get_by_test_id("progress")).to_have_text("lull sent this")
    await expect(step(visitor, "In answer to")).to_contain_text("The first question?")
    await expect(step(visitor, "Decision")).to_contain_text("answer")
    await expect(step(visitor, "Model calls")).to_contain_text("Model calls 1")
    await visitor.picks("The second answer.", "What lull did")
    await expect(visitor.button("Task 1: send, done")).to_contain_text("The second answer.")
    await visitor.button("Follow the last message").click()
    await expect(visitor.page.locator(".subject")).to_contain_text("The second question?")


async def test_while_the_model_thinks_the_plan_is_being_made_and_not_replaced(
    sandbox: Sandbox, cloud_visits: Visits
) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    visitor = await at_the_page(cloud_visits, ann, chat)
    await sandbox.model.will_say("The first answer.")
    await visitor.writes("a first sloe question")
    await expect(visitor.message("The first answer.")).to_be_visible()
    await sandbox.model.will_plan({"kind": "send", "text": "The second answer."}, hold=f"until-seen-{chat.id}")
    await visitor.writes("a second sloe question")
    await expect(step(visitor, "Plan")).to_contain_text("being made")
    await sandbox.model.go_on(f"until-seen-{chat.id}")
    await expect(visitor.message("The second answer.")).to_be_visible()
    await expect(step(visitor, "Plan")).to_contain_text("1 task")


async def test_a_commands_own_plan_is_shown(sandbox: Sandbox, cloud_visits: Visits) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    visitor = await at_the_page(cloud_visits, ann, chat)
    await visitor.writes("/stop")
    await expect(visitor.message("There's nothing to stop.")).to_be_visible()
    await expect(step(visitor, "Plan")).to_contain_text("There's nothing to stop.")
    await expect(step(visitor, "Deliveries")).to_contain_text("confirmed")
    await visitor.picks("There's nothing to stop.", "What lull did")
    await expect(visitor.page.get_by_test_id("progress")).to_have_text("lull sent this")
    await expect(step(visitor, "Plan")).to_contain_text("There's nothing to stop.")
    await visitor.writes("/mute")
    await expect(visitor.page.locator(".message")).to_have_count(4)
    await visitor.picks("There's nothing to stop.", "What lull did")
    await expect(visitor.page.get_by_test_id("progress")).to_have_text("lull sent this")
    await expect(step(visitor, "In answer to")).to_contain_text("/stop")
    await visitor.picks("/stop", "What lull did")
    await expect(step(visitor, "Answer")).to_contain_text("There's nothing to stop.")
    await expect(step(visitor, "Plan")).to_have_count(0)


async def test_the_model_is_named_with_what_it_cannot_do(sandbox: Sandbox, cloud_visits: Visits) -> None:
    model = (await sandbox.telegram.get("/inspect/model")).json()
    visitor = await cloud_visits.visit()
    await expect(visitor.page.locator(".list .model-note")).to_contain_text(model["name"])
    await expect(visitor.page.locator(".list .model-note")).to_contain_text(model["note"])


async def test_a_failed_call_of_the_model_is_a_step_with_its_reason(
    sandbox: Sandbox, cloud_visits: Visits, pictures: Path
) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    visitor = await at_the_page(cloud_visits, ann, chat)
    mine = f"chat_id={chat.id} "
    await sandbox.model.will({"status": 503, "error": "a secret", "times": 3, "match": mine})
    await sandbox.model.will({"status": 400, "error": "a secret", "delay_s": 6, "match": mine})
    await visitor.writes("are you there?")
    await expect(step(visitor, "Model calls")).to_contain_text("failed, will be tried again")
    await expect(step(visitor, "Model calls")).to_contain_text("Gemini answered 503")
    await visitor.page.screenshot(path=pictures / "failed-call-desktop.png")
    await expect(step(visitor, "Model calls")).to_contain_text("1, 1 failed")
    await expect(step(visitor, "Model calls")).to_contain_text("Gemini answered 400")
    await expect(visitor.page.locator(".panel")).not_to_contain_text("secret")


async def test_a_press_of_an_offered_choice_is_followed_to_its_answer(
    sandbox: Sandbox, cloud_visits: Visits, pictures: Path
) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    visitor = await at_the_page(cloud_visits, ann, chat)
    mine = f"chat_id={chat.id} "
    await sandbox.model.will_plan({"kind": "send", "text": "Tea or coffee?", "choices": ["Tea", "Coffee"]}, match=mine)
    await visitor.writes("I am thirsty")
    await expect(visitor.button("Tea")).to_be_visible()
    await chat.rests()
    await sandbox.model.will_plan({"kind": "send", "text": "Here it comes."}, match=mine)
    await visitor.button("Tea").click()
    await expect(step(visitor, "Choice")).to_contain_text(f"{ann.name} chose: Tea, at")
    await expect(visitor.page.locator(".subject-text")).to_contain_text("Tea or coffee?")
    await expect(step(visitor, "Update")).to_contain_text("callback_query")
    await expect(step(visitor, "Decision")).to_contain_text("answer")
    await expect(visitor.button("Task 1: send, done")).to_contain_text("Here it comes.")
    await visitor.page.screenshot(path=pictures / "choice-desktop.png")
    phone = await cloud_visits.visit(PHONE, path=f"/#/{ann.id}/{chat.key}")
    await phone.button("What lull did").first.click()
    await expect(step(phone, "Choice")).to_contain_text("chose: Tea")  # a later visitor sees them too
    await phone.page.screenshot(path=pictures / "choice-phone.png")
    await sandbox.model.will_plan({"kind": "send", "text": "Enjoy it."}, match=mine)
    await visitor.writes("thanks")
    await expect(visitor.page.locator(".subject-text")).to_have_text("thanks")
    await expect(step(visitor, "Choice")).to_have_count(0)
    await expect(visitor.message("Enjoy it.")).to_be_visible()


async def test_calls_of_tools_stand_between_the_models_and_say_where_the_plan_was_tainted(
    sandbox: Sandbox, cloud_visits: Visits, web: HostileServer, pictures: Path
) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    visitor = await at_the_page(cloud_visits, ann, chat)
    url = web.has("/green", TEA.format("Green tea wants water of 80 degrees. " * 20).encode())
    divide = {"name": "calculate", "args": {"expression": "1 / 0"}}
    await sandbox.model.will({"function_calls": [divide, {"name": "retrieve", "args": {"urls": [url]}}]})
    await sandbox.model.will_say(f"Half of 80 is 40, says {url}")
    await visitor.writes(f"how hot for green tea, halved? {url}")
    await expect(visitor.message("Half of 80")).to_be_visible()
    calls = step(visitor, "Model calls")
    await expect(calls).to_contain_text("2, 2 of tools")
    order = calls.locator(".calls > li")
    await expect(order).to_have_count(5)
    await expect(order.nth(1).locator(".state")).to_have_text("failed")
    await expect(order.nth(1).locator("dd")).to_have_text("1 / 0")
    await expect(order.nth(2)).to_contain_text("Words from outside: what the tool retrieve found.")
    await expect(order.nth(3)).to_have_text(
        "From here on it had seen words from outside: what the tool retrieve found; so a tap was needed for: "
        "remember, forget, schedule with instruction or every, change-reminder, keep-zone."
    )
    answer = order.nth(2).locator(".prewrap").last
    shortened = await answer.evaluate("node => node.clientHeight")
    await visitor.button("Show all").click()
    await expect(visitor.button("Show less")).to_have_attribute("aria-expanded", "true")
    assert await answer.evaluate("node => node.clientHeight") > shortened
    mark = visitor.message("Half of 80").get_by_role("img", name="words from outside")
    await expect(mark).to_be_visible()
    await expect(visitor.message("how hot").get_by_role("img", name="words from outside")).to_have_count(0)
    await visitor.page.screenshot(path=pictures / "tools-desktop.png")
    await visitor.button("Prompt and reply").last.click()
    dialog = visitor.page.get_by_role("dialog", name="Prompt and reply")
    await expect(dialog.locator(".is-function h4")).to_have_text(
        ["Calls calculate", "Calls retrieve", "Failed: calculate", "Result of retrieve"]
    )
    await dialog.locator(".is-function").last.scroll_into_view_if_needed()
    await visitor.page.screenshot(path=pictures / "functions-desktop.png")
    phone = await cloud_visits.visit(PHONE, path=f"/#/{ann.id}/{chat.key}", color_scheme="dark")
    await phone.button("What lull did").first.click()
    await phone.page.get_by_test_id("taint").scroll_into_view_if_needed()
    assert await phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await phone.page.screenshot(path=pictures / "tools-phone.png")


async def test_a_plan_that_began_with_words_from_outside_says_so_first(sandbox: Sandbox, cloud_visits: Visits) -> None:
    ann, ben = await sandbox.person("Ann"), await sandbox.person("Ben")
    chat, other = await sandbox.private(ann), await sandbox.group([ann, ben])
    debt = await other.writes(ben, "You owe me a coffee.")
    visitor = await at_the_page(cloud_visits, ann, chat)
    await sandbox.model.will_say("He wants a coffee.")
    await chat.writes(ann, "", forward_of={"chat": other.key, "message_id": debt})
    await expect(visitor.message("He wants a coffee.")).to_be_visible()
    first = step(visitor, "Model calls").locator(".calls > li").first
    await expect(first).to_have_text(
        "From here on it had seen words from outside: a forwarded message; so a tap was needed for: "
        "remember, forget, schedule with instruction or every, change-reminder, keep-zone."
    )


async def test_a_search_is_shown_with_what_google_found(sandbox: Sandbox, cloud_visits: Visits, pictures: Path) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    visitor = await at_the_page(cloud_visits, ann, chat)
    pages = [{"web": {"uri": "https://tea.example/1", "title": "tea.example"}}]
    support = [{"segment": {"text": "Tea is hot."}, "groundingChunkIndices": [0]}]
    found = {"webSearchQueries": ["quince tea"], "groundingChunks": pages, "groundingSupports": support}
    await sandbox.model.will({"function_calls": [{"name": "search", "args": {"query": "quince tea"}}]})
    await sandbox.model.will({"text": "Tea is hot.", "grounding": found})
    await sandbox.model.will_say("It is hot.")
    await visitor.writes("how is quince tea?")
    await expect(visitor.message("It is hot.")).to_be_visible()
    await expect(step(visitor, "Model calls")).to_contain_text("2, 1 of tools")
    await expect(visitor.message("It is hot.").get_by_role("img", name="words from outside")).to_be_visible()
    await visitor.button("Prompt and reply").last.click()
    dialog = visitor.page.get_by_role("dialog", name="Prompt and reply")
    await expect(dialog.get_by_label("Call")).to_have_value("2")
    await dialog.get_by_label("Call").select_option("2 of 3, a search")
    await dialog.get_by_role("tab", name="Reply").click()
    await expect(dialog.get_by_test_id("grounding")).to_contain_text("quince tea")
    link = dialog.get_by_role("link", name="tea.example")
    await expect(link).to_have_attribute("rel", "noopener noreferrer")
    await visitor.page.screenshot(path=pictures / "search-desktop.png")


async def test_a_slash_lists_the_commands_and_nothing_is_unread_after_a_reload(
    sandbox: Sandbox, cloud_visits: Visits
) -> None:
    await asyncio.to_thread(shows_commands, sandbox.cloud)
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    visitor = await at_the_page(cloud_visits, ann, chat)
    await sandbox.model.will_say("An answer.")
    await visitor.writes("a question")
    await expect(visitor.message("An answer.")).to_be_visible()
    await visitor.page.reload()
    await expect(visitor.message("An answer.")).to_be_visible()
    await expect(visitor.page).to_have_title("lull")
    await visitor.field.press_sequentially("/")
    offers = visitor.page.get_by_role("listbox", name="Completions")
    await expect(offers).to_contain_text("/help")
    await expect(offers).to_contain_text("/new")
