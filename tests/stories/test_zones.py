"""Times are in the zone of the person who says them: set by them, mentioned by them, or that of the group."""

from tests.stories.play import Sandbox

FRIDAYS = {"kind": "schedule", "text": "The week is over!", "every": "friday", "at": "17:00"}


async def test_in_a_group_of_two_zones_each_is_reminded_at_their_own_time(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat = await sandbox.group([ann, bob])
    for person, city, zone in ((ann, "Berlin", "Europe/Berlin"), (bob, "tokyo", "Asia/Tokyo")):
        await chat.writes(person, f"/zone@lull_bot {city}")
        (kept,) = await chat.answers()
        assert kept.startswith(f"Your time zone is {zone}. It's ")
    for person, zone in ((ann, "Europe/Berlin"), (bob, "Asia/Tokyo")):
        await sandbox.model.will_plan(FRIDAYS)
        await chat.writes(person, "@lull_bot remind us every Friday at 17:00 that the week is over")
        (confirmed,) = await chat.answers()
        assert f"every week: Friday, 17:00 ({zone}): " in confirmed
        asked = (await sandbox.model.asked(f"chat_id={chat.id} "))[-1]
        closing = asked["request"]["contents"][-1]["parts"][-1]["text"]
        assert f"For {person.name}#" in closing
        assert f" in {zone}, " in closing
        assert "The next days there: " in closing


async def test_somebody_says_where_they_are(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan(
        {"kind": "keep-zone", "zone": "Asia/Tokyo"},
        {"kind": "schedule", "text": "Good morning!", "at": "tomorrow 09:00"},
    )
    await chat.writes(ann, "I am in Tokyo now. Say good morning tomorrow at nine.")
    kept, confirmed = await chat.answers(2)
    assert kept.startswith("Your time zone is Asia/Tokyo. It's ")
    assert confirmed.endswith("09:00: Good morning!")
    await chat.writes(ann, "/zone")
    (known,) = await chat.answers()
    assert known.startswith("Your time zone is Asia/Tokyo. It's ")
