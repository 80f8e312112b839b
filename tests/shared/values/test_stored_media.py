"""The conditions under which the description of a file may begin."""

import pytest
from pydantic import ValidationError

from shared.values.evolve import evolve
from shared.values.media import CURATED, Description, DescriptionOutcome, MediaKind
from shared.values.prepared import FileFacts, PreparedPart
from shared.values.stored_media import StoredMedia, StoredPart
from tests.shared.examples import NOW, SECOND

NEW = StoredMedia(unique_id="u", kind=MediaKind.PHOTO, updated_at=NOW)


@pytest.mark.parametrize("outcome", DescriptionOutcome)
def test_what_is_final_is_never_begun_again(outcome: DescriptionOutcome) -> None:
    kept = evolve(NEW, description=Description(outcome=outcome))
    assert kept.is_due(NOW) is (not outcome.is_final)


def test_what_somebody_wrote_by_hand_is_what_it_shows() -> None:
    kept = StoredMedia.model_validate({"description": "a cat"})
    assert kept.description == Description(outcome=DescriptionOutcome.DESCRIBED, shows="a cat", source=CURATED)
    assert not kept.is_due(NOW)
    whole = StoredMedia.model_validate(NEW.model_dump() | {"description": "a cat"})
    assert (whole.unique_id, whole.kind, whole.updated_at) == (NEW.unique_id, NEW.kind, NEW.updated_at)


def test_what_is_stored_is_whole_or_nothing() -> None:
    parts = tuple(StoredPart(path=name, mime_type="image/jpeg", size=1, duration_s=2.0) for name in "ab")
    kept = evolve(NEW, parts=parts, facts=FileFacts(is_cut=True))
    found = kept.to_prepared([b"a", b"b"])
    assert found is not None
    assert found.model_parts == tuple(PreparedPart("image/jpeg", content, 2.0) for content in (b"a", b"b"))
    assert found.facts.is_cut
    assert (kept.to_prepared([b"a", None]), NEW.to_prepared([])) == (None, None)


def test_a_claim_and_a_pause_run_out() -> None:
    assert NEW.is_due(NOW)
    for field in ("claimed_until", "next_try_at"):
        kept = NEW.model_copy(update={field: NOW + SECOND})
        assert (kept.is_due(NOW), kept.is_due(NOW + SECOND)) == (False, True)


@pytest.mark.parametrize(
    "odd",
    [{"tries": -9}, {"next_try_at": "2026-01-01T00:00:00"}, {"claimed_until": "2026-01-01T00:00:00"}],
    ids=range(3),
)
def test_what_could_not_be_reckoned_with_is_none(odd: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        StoredMedia.model_validate(NEW.model_dump() | odd)
