"""Trouble, reminders, metrics and marks: the buttons say what they do, and send what they should."""

from playwright.async_api import expect

from tests.web.console_page import ConsolePage
from tests.web.owner import Owner, Owners

RESEND = "/api/trouble/incidents/unknown_delivery-1/resend"


async def test_a_lost_message_is_sent_again_only_after_a_question(owner: Owner, console: ConsolePage) -> None:
    await owner.opens("/trouble")
    incident = owner.page.locator(".items > li", has_text="A message may not have arrived").first
    await incident.get_by_role("button", name="Details").click()
    await expect(incident).to_contain_text("The table is booked for eight o'clock.")
    await incident.get_by_role("button", name="Send it again").click()
    dialog = owner.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("it may arrive twice")
    await dialog.get_by_role("button", name="Cancel").click()
    assert await console.bodies(RESEND, 0) == []
    await incident.get_by_role("button", name="Send it again").click()
    await dialog.get_by_role("button", name="Send it again").click()
    await expect(owner.page.locator(".toast")).to_contain_text("It is being sent now")
    assert await console.bodies(RESEND, 1) == [{"knowing": True}]


async def test_texts_of_people_are_no_markup(owner: Owner) -> None:
    await owner.opens("/trouble")
    await expect(owner.page.get_by_text("<b>at all</b>")).to_be_visible()


async def test_incidents_that_were_seen_are_no_problem_any_more(owners: Owners, console: ConsolePage) -> None:
    problem = {"kind": "incident", "about": "i", "since": "2026-11-30T11:42:00Z", "path": "/trouble"}
    console.answers["GET /api/status"] = {"is_well": False, "problems": [problem]}
    seen = "GET /api/status?since=2026-11-30T11%3A42%3A00Z"
    console.answers[seen] = {"is_well": True, "problems": []}
    owner = await owners.visit()
    await expect(owner.page.locator(".status")).to_contain_text("Something went wrong")
    await owner.opens("/trouble")
    await owner.page.wait_for_function("Object.keys(localStorage).some((key) => key.endsWith('console.looked'))")
    await owner.opens("/reminders")
    await expect(owner.page.locator(".status")).to_contain_text("All is well")


async def test_a_problem_says_its_mend(owners: Owners, console: ConsolePage) -> None:
    problems = [
        {"kind": "unread", "agent": "lull", "about": "c", "since": "2026-11-30T11:42:00Z", "path": "/trouble"},
        {"kind": "webhook", "agent": "lull", "about": "a", "said": "it was set again", "path": "/trouble"},
    ]
    console.answers["GET /api/status"] = {"is_well": False, "problems": problems}
    owner = await owners.visit(path="/trouble")
    await owner.settles()
    await expect(owner.page.locator(".section").first).to_contain_text("What was done: it was set again.")
    await owner.button("Run now").first.click()
    await expect(owner.page.locator(".toast")).to_contain_text("Started")
    assert await console.bodies("/api/trouble/jobs/sweep/run", 1) == [{}]


async def test_a_person_is_deleted_after_their_number_was_typed(owner: Owner, console: ConsolePage) -> None:
    await owner.opens("/trouble/person/555")
    await expect(owner.title).to_have_text("A person's data")
    await expect(owner.page.locator("tr", has_text="the transcript, and the people")).to_contain_text("erased")
    await owner.button("Delete everything").click()
    dialog = owner.page.get_by_role("dialog")
    await dialog.get_by_label("Type 555 to confirm").fill("555")
    async with owner.page.expect_response("**/api/person-data/555/forget"):
        await dialog.get_by_role("button", name="Delete everything").click()
    await expect(dialog).to_have_count(0)
    assert await console.bodies("/api/person-data/555/forget", 1) == [{"confirm": "555"}]
    assert await owner.faults() == []


async def test_reminders_are_cancelled_put_off_and_sent_now(owner: Owner, console: ConsolePage) -> None:
    await owner.opens("/reminders")
    item = owner.page.locator(".items > li", has_text="Call the dentist")
    await item.get_by_role("button", name="Cancel").click()
    dialog = owner.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("The reminder: Call the dentist")
    await dialog.get_by_role("button", name="Cancel").last.click()
    await expect(owner.page.locator(".toast")).to_contain_text("Cancelled")
    await console.sent(1)
    await item.get_by_role("button", name="Put off").click()
    await owner.page.get_by_role("menuitem", name="Put off by an hour").click()
    await expect(owner.page.locator(".toast")).to_contain_text("Put off")
    await console.sent(2)
    await item.get_by_role("button", name="Send now").click()
    await dialog.get_by_role("button", name="Send now").click()
    await expect(owner.page.locator(".toast")).to_contain_text("It is being sent now")
    ordered = [path.rpartition("/")[2] for path, _ in await console.sent(3)]
    assert ordered == ["cancel", "later-u", "now"]
    assert len({click for _, click in console.clicks}) == 3


async def test_metrics_have_their_numbers_in_tables(owner: Owner) -> None:
    await owner.opens("/metrics")
    await owner.page.get_by_text("Numbers as a table").first.click()
    await expect(owner.page.get_by_role("table", name="Decisions by day")).to_contain_text("Nov 30, 2026")
    download = owner.page.get_by_role("link", name="Download the cases")
    await expect(download).to_have_attribute("href", "/api/marks/cases")
    times = owner.page.get_by_role("region", name="Time of answers, by model")
    await expect(times.get_by_role("row").nth(1)).to_have_text("gemini-3.8-flash1,2041.9 s7.2 s")


async def test_what_runs_now_tells_its_holder_and_can_be_stopped(owner: Owner, console: ConsolePage) -> None:
    await owner.opens("/trouble")
    held = owner.page.locator(".items > li", has_text="Held by tick")
    await expect(held).to_contain_text("Ticks in a row that wrote nothing: 3")
    waiting = owner.page.locator(".items > li", has_text="Too Many Requests").first
    await expect(waiting).to_contain_text("Failed attempts: 2")
    await waiting.get_by_role("button", name="Stop").click()
    await expect(owner.page.locator(".toast")).to_be_visible()
    assert await console.bodies("/api/conversations/conv-1/stop", 1) == [{}]


async def test_a_job_and_a_reminder_tell_their_next_ten_times(owner: Owner) -> None:
    for path, words in (("/trouble", "Sweep: wakes chats"), ("/reminders", "what to water")):
        await owner.opens(path)
        times = owner.page.locator(".items > li", has_text=words).first
        await times.get_by_text("The next 10 times").click()
        await expect(times.locator(".runs > li")).to_have_count(10)


async def test_the_history_of_reminders_is_read_when_it_is_asked_for(owner: Owner) -> None:
    await owner.opens("/reminders")
    await owner.button("Show").click()
    history = owner.page.locator(".section", has=owner.page.get_by_role("heading", name="History"))
    await expect(history.locator(".items > li")).to_have_count(2)
    await expect(history).to_contain_text("the person has blocked the bot")
    assert await owner.faults() == []
