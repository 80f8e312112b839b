"""Which segments are read for a question: the rarest terms first, and no more than may be read."""

from datetime import UTC

from shared.adapters.firestore.chats import FirestoreChats
from shared.adapters.firestore.segments import FirestoreSegments
from shared.models.chat_key import ChatKey
from shared.models.place import Sight, place_of
from shared.models.recalled import Wanted
from shared.ports.search import Area
from shared.recalling.candidates import Looking, by_words, counted
from shared.search.scoring import Question
from shared.search.terms import asked_terms
from tests.shared.recalling.searched import keep, later, segment


async def test_the_rare_terms_are_followed_and_the_newest_of_a_frequent_one(
    chats: FirestoreChats, key: ChatKey
) -> None:
    place = place_of(key)
    texts = ["a rare dog", *["a dog"] * 9]
    await keep(chats, *(segment(place, t, number=n, at=later(n)) for n, t in enumerate(texts, 1)), with_vectors=False)
    area = Area(sight=Sight(agent=key.agent, places=(place,)))
    question = Question(terms=asked_terms("is the dog rare or unheard"))
    wanted = Wanted(query="", now=later(99), zone=UTC)
    looking = Looking(segments=FirestoreSegments(chats.client), area=area, question=question, wanted=wanted)
    counts = await counted(looking.segments, area, question)
    assert (counts.total, counts.matches) == (10, (None, None, 10, 1, None, 0))
    found = await by_words(looking, counts, 4)
    assert sorted(one.number for one in found.segments) == [1, 8, 9, 10]
    assert found.reads == counts.reads + 4
