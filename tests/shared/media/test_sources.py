"""The chain of sources: the first answer wins, and later sources are not asked."""

from dataclasses import dataclass, field

import pytest

from shared.media.sources import CuratedSource, EmptySource, RunLimitSource, SourceChain, StoredSource
from shared.values.chat_key import ChatKey
from shared.values.curated import CuratedMedia
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia
from tests.shared.examples import KEY, NOW, SECOND
from tests.shared.media.memory import MemoryMedia

REF = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u")
ANSWER = Description(outcome=DescriptionOutcome.DESCRIBED, shows="A boat.", source="a-model")


def reference(agent: str = "lull", unique_id: str = "u") -> FileReference:
    key = ChatKey(agent=agent, chat_id=KEY.chat_id)
    ref = evolve(REF, unique_id=unique_id)
    return FileReference(ref=ref, agent=agent, chat=key.id, at=NOW, try_at=NOW)


@dataclass
class Last:
    """A source that always answers, and counts its calls."""

    asked: list[str] = field(default_factory=list)

    async def describe(self, reference: FileReference) -> Description | None:
        self.asked.append(reference.ref.unique_id)
        return ANSWER


async def test_the_first_answer_wins() -> None:
    curated = CuratedMedia(unique_id="u", kind=MediaKind.PHOTO, description="Our boat.")
    last = Last()
    chain = SourceChain((CuratedSource({"lull": dict.fromkeys(curated.names, curated)}), EmptySource(), last))
    assert await chain.describe(reference()) == curated.as_description
    assert last.asked == []
    assert await chain.describe(reference("moss")) == ANSWER, "another agent's are not this one's"
    assert await chain.describe(reference(unique_id="v")) == ANSWER
    assert last.asked == ["u", "v"]
    assert await SourceChain((EmptySource(),)).describe(reference()) is None


async def test_what_is_known_takes_nothing_of_the_budget() -> None:
    last, store = Last(), MemoryMedia()
    chain = SourceChain((StoredSource(store=store, clock=lambda: NOW), RunLimitSource(2), last))
    store.kept["known"] = StoredMedia(unique_id="known", kind=MediaKind.PHOTO, description=ANSWER, updated_at=NOW)
    found = [await chain.describe(reference(unique_id=one)) for one in ("a", "known", "known", "b", "c", "known")]
    outcomes = [one.outcome for one in found if one is not None]
    assert outcomes == [
        *[DescriptionOutcome.DESCRIBED] * 4,
        DescriptionOutcome.BUDGET_EXHAUSTED,
        DescriptionOutcome.DESCRIBED,
    ]
    assert last.asked == ["a", "b"]


@pytest.mark.parametrize("outcome", [DescriptionOutcome.UNSUPPORTED, DescriptionOutcome.PERMANENT_FAILURE])
async def test_a_failure_that_is_final_is_an_answer(outcome: DescriptionOutcome) -> None:
    store, failed = MemoryMedia(), Description(outcome=outcome, why="It is broken.")
    store.kept["u"] = StoredMedia(unique_id="u", kind=MediaKind.PHOTO, description=failed, updated_at=NOW)
    assert await StoredSource(store=store, clock=lambda: NOW).describe(reference()) == failed


async def test_a_file_that_waits_or_is_being_described_is_asked_of_nobody_else() -> None:
    store, now = MemoryMedia(), [NOW]
    kept = StoredSource(store=store, clock=lambda: now[0])
    busy = StoredMedia(unique_id="u", kind=MediaKind.PHOTO, claimed_until=NOW + SECOND, updated_at=NOW)
    store.kept["u"] = busy
    found = await kept.describe(reference())
    assert found is not None
    assert found.outcome is DescriptionOutcome.TEMPORARY_FAILURE
    failed = Description(outcome=DescriptionOutcome.TEMPORARY_FAILURE, why="Telegram does not answer.")
    waits = {"claimed_until": None, "next_try_at": NOW + SECOND, "description": failed}
    store.kept["u"] = busy.model_copy(update=waits)
    assert await kept.describe(reference()) == failed
    now[0] += SECOND
    assert await kept.describe(reference()) is None
