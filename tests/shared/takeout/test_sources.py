"""Sources: what they give, and going on from any of their cursors."""

from contextlib import aclosing

import pytest

from shared.adapters.firestore import paths
from shared.adapters.firestore.belongings import FirestoreBelongings
from shared.models.chat_key import ChatKey
from shared.takeout.sources import SOURCES, Line, Owned, Row
from tests.shared.takeouts import Depot, said, somebody
from tests.shared.values import ME, NOW


async def rows(owned: Owned, number: int, cursor: str = "") -> list[Row]:
    async with aclosing(SOURCES[number].rows(owned, cursor)) as found:
        return [row async for row in found]


async def owned_by(depot: Depot, person: int) -> Owned:
    belongings = FirestoreBelongings(depot.client)
    chats = await belongings.chats(person)
    return Owned(person=person, belongings=belongings, chats=chats, conversations=await belongings.conversations(chats))


@pytest.mark.parametrize("number", range(len(SOURCES)), ids=[source.name for source in SOURCES])
async def test_whoever_goes_on_from_a_cursor_gets_what_follows(depot: Depot, number: int) -> None:
    ann = somebody("Ann")
    key = ChatKey(agent="lull", chat_id=ann.id)
    await depot.talk(key, [said(ann, f"word {n}", n) for n in (1, 2, 3)])
    await depot.keep(f"people/{ann.id}", {"pronouns": "she"})
    for n in (1, 2, 3):
        await depot.keep(paths.event_path(f"r{ann.id}{n}"), {"person": ann.id, "text": f"tea {n}"})
        await depot.keep(paths.request_path(f"q{ann.id}{n}"), {"person": ann.id, "words": f"let me in {n}"})
        await depot.keep(paths.usage_path(f"u{ann.id}{n}"), {"person": ann.id, "day": f"2026-11-0{n}"})
        await depot.keep(paths.incident_path(f"i{ann.id}{n}"), {"chat": key.id, "body": f"broken {n}"})
    owned = await owned_by(depot, ann.id)
    found = await rows(owned, number)
    assert len(found) >= 3 or SOURCES[number].name not in {"messages", "reminders", "requests", "usage", "incidents"}
    for place, row in enumerate(found, start=1):
        assert await rows(owned, number, row.cursor) == found[place:]


async def test_an_observation_of_a_group_is_theirs_if_all_that_it_comes_from_is(depot: Depot) -> None:
    ann, bob = somebody("Ann"), somebody("Bob")
    group = ChatKey(agent="lull", chat_id=-ann.id)
    entries = [said(ann, "I like tea", 1), said(bob, "Ann is tired", 2), said(ME, "to all", 3)]
    conversation = await depot.talk(group, entries)
    await depot.saw(group, ann)
    for name, about, of in (("a", [ann.id], [1]), ("b", [ann.id], [1, 2]), ("c", [bob.id], [1]), ("d", [], [1])):
        observed = {
            "id": name, "conversation": conversation, "agent": "lull", "place": "p", "text": f"observed {name}",
            "about": about, "entries": of, "made_at": NOW,
        }  # fmt: skip
        await depot.keep(paths.observation_path(conversation, name), observed)
    owned = await owned_by(depot, ann.id)
    number = next(n for n, source in enumerate(SOURCES) if source.name == "observations")
    found = [row.fields["text"] for row in await rows(owned, number) if isinstance(row, Line)]
    assert found == ["observed a"]
    assert await rows(owned, [source.name for source in SOURCES].index("conversations")) == []


async def test_what_went_wrong_in_a_group_is_nobodys_to_take_out(depot: Depot) -> None:
    ann = somebody("Ann")
    group = ChatKey(agent="lull", chat_id=-ann.id)
    await depot.talk(group, [said(ann, "hello", 1)])
    await depot.saw(group, ann)
    await depot.keep(paths.incident_path(f"i{ann.id}"), {"chat": group.id, "body": "what Bob said"})
    number = [source.name for source in SOURCES].index("incidents")
    assert await rows(await owned_by(depot, ann.id), number) == []
