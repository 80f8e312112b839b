"""What is kept of a file."""

from shared.models.kept_media import KeptMedia, StoredPart
from shared.models.media import Description, MediaKind, Outcome
from tests.shared.values import NOW


def test_it_is_the_same_when_it_is_read_again_by_a_version_that_knows_less() -> None:
    part = StoredPart(path="u1/0.jpg", mime_type="image/jpeg", size=3)
    kept = KeptMedia(
        unique_id="u1",
        kind=MediaKind.PHOTO,
        description=Description(outcome=Outcome.DESCRIBED, shows="a cat"),
        tries=1,
        parts=(part,),
        updated_at=NOW,
    )
    assert KeptMedia.model_validate(kept.model_dump() | {"of_a_newer_lull": 1}) == kept
