"""The files of a message, from documents as ticks and describe_media write them."""

from dataclasses import replace

import pytest

from shared.base.model_call import ModelCall
from shared.chat.store import paths
from shared.upkeep.files import DescriptionSource, InspectedFile, SourceAnswer, files_of, known_in
from shared.upkeep.store.inspection import FirestoreInspection
from shared.values.evolve import evolve
from shared.values.media import CURATED, OWN, Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import Edit, MediaDescribed
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia
from tests.shared.examples import ANN, GROUP_KEY, KEY, NOW, SECOND, said

CALL = ModelCall(model="gemini-3.5-flash-lite", prompt_tokens=1_000_000, output_tokens=100_000)
CAT = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a cat", source=CALL.model, call=CALL)
REF = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="inspected-cat")
FILE = InspectedFile(ref=REF)
OPEN = FileReference(ref=REF, agent="lull", chat=KEY.id, person=ANN.id, message_ids=(5,), at=NOW, try_at=NOW)
TOLD = MediaDescribed(at=NOW, message_ids=(4, 5), kind=REF.kind, unique_id=REF.unique_id, description=CAT)
CLOSED = evolve(OPEN, is_open=False)
BY_HAND = Description(outcome=DescriptionOutcome.DESCRIBED, shows="our cat", source=CURATED)
OWN_WORDS = Description(outcome=DescriptionOutcome.DESCRIBED, says="hello", source=OWN)
NO = SourceAnswer.NOTHING


def kept(description: Description | None = None) -> StoredMedia:
    return StoredMedia(unique_id=REF.unique_id, kind=REF.kind, description=description, tries=1, updated_at=NOW)


def knowing(description: Description) -> MediaRef:
    return evolve(REF, description=description)


def came_of(outcome: DescriptionOutcome, call: ModelCall | None = None) -> InspectedFile:
    description = Description(outcome=outcome, why="it is so", call=call)
    return replace(FILE, kept=kept(description), reference=OPEN)


@pytest.mark.parametrize(
    ("file", "chain"),
    [
        (FILE, []),
        (replace(FILE, reference=CLOSED), []),
        (replace(FILE, ref=knowing(BY_HAND)), [(DescriptionSource.CURATED, SourceAnswer.KNOWN)]),
        (replace(FILE, ref=knowing(OWN_WORDS)), [(DescriptionSource.AGENT, SourceAnswer.KNOWN)]),
        (
            replace(FILE, ref=knowing(CAT), kept=kept(CAT)),
            [(DescriptionSource.CURATED, NO), (DescriptionSource.KEPT, SourceAnswer.KNOWN)],
        ),
    ],
)
def test_who_knows_is_the_last_who_is_asked(
    file: InspectedFile, chain: list[tuple[DescriptionSource, SourceAnswer]]
) -> None:
    assert list(file.chain) == chain


@pytest.mark.parametrize(
    ("file", "chain"),
    [
        (replace(FILE, reference=OPEN), [(DescriptionSource.MODEL, SourceAnswer.WAITING)]),
        (came_of(DescriptionOutcome.BUDGET_EXHAUSTED), [(DescriptionSource.BUDGET, SourceAnswer.WAITING)]),
        (came_of(DescriptionOutcome.UNSUPPORTED), [(DescriptionSource.FILE, SourceAnswer.UNKNOWN)]),
        (
            came_of(DescriptionOutcome.TEMPORARY_FAILURE),
            [(DescriptionSource.BUDGET, NO), (DescriptionSource.MODEL, SourceAnswer.DELAYED)],
        ),
        (
            came_of(DescriptionOutcome.PERMANENT_FAILURE, CALL),
            [(DescriptionSource.BUDGET, NO), (DescriptionSource.MODEL, SourceAnswer.UNKNOWN)],
        ),
        (
            replace(FILE, kept=kept(CAT)),
            [(DescriptionSource.BUDGET, NO), (DescriptionSource.MODEL, SourceAnswer.KNOWN)],
        ),
    ],
)
def test_what_nobody_knew_goes_on_to_the_model(
    file: InspectedFile, chain: list[tuple[DescriptionSource, SourceAnswer]]
) -> None:
    assert list(file.chain) == [(DescriptionSource.CURATED, NO), (DescriptionSource.KEPT, NO), *chain]


def test_a_file_is_settled_when_no_more_is_told_of_it() -> None:
    assert not replace(FILE, reference=OPEN).is_settled
    assert not came_of(DescriptionOutcome.TEMPORARY_FAILURE).is_settled
    assert came_of(DescriptionOutcome.UNSUPPORTED).is_settled
    assert replace(FILE, kept=kept(), reference=CLOSED).is_settled


def test_a_description_costs_once() -> None:
    plain = evolve(CAT, call=None)  # as the cat reports it
    told = evolve(TOLD, description=plain)
    assert replace(FILE, told=told, kept=kept(CAT)).cost == replace(FILE, kept=kept(CAT)).cost == 0.55
    again = replace(FILE, ref=knowing(plain), kept=kept(CAT))
    assert (again.cost, again.call) == (0.0, CALL)
    assert (FILE.cost, FILE.call) == (0.0, None)
    unknown = evolve(CAT, call=ModelCall(model="somebody-elses"))
    assert replace(FILE, kept=kept(unknown)).cost is None


def test_what_is_known_for_good_goes_before_what_was_told_first() -> None:
    early = Description(outcome=DescriptionOutcome.TEMPORARY_FAILURE, why="not known yet")
    told = evolve(TOLD, description=early)
    assert replace(FILE, told=told, kept=kept(CAT)).description == CAT
    assert replace(FILE, told=told, kept=kept()).description == early
    assert FILE.description is None


async def test_the_files_of_a_message_are_read_with_what_is_known_of_them(store: FirestoreInspection) -> None:
    message = said("look", message_id=5, media_refs=(REF,))
    await store.client.document(paths.media_path(REF.unique_id)).set(kept(CAT).model_dump())
    await store.client.document(paths.reference_path(OPEN.id)).set(OPEN.model_dump())
    (found,) = await files_of(store, KEY.id, message, (message, TOLD))
    assert found == InspectedFile(ref=REF, kept=kept(CAT), reference=OPEN, told=TOLD)
    (elsewhere,) = await files_of(store, GROUP_KEY.id, message, (message,))
    assert (elsewhere.kept, elsewhere.reference, elsewhere.told) == (kept(CAT), None, None)
    assert await files_of(store, KEY.id, said("no files"), ()) == ()


async def test_an_edit_changes_the_files(store: FirestoreInspection) -> None:
    message = said("look", message_id=5, media_refs=(REF,))
    other = MediaRef(kind=MediaKind.VIDEO, file_id="g", unique_id="inspected-other")
    edit = Edit(at=NOW + SECOND, message_id=5, author=ANN, media_refs=(other,))
    words = evolve(edit, media_refs=())
    assert [one.ref for one in await files_of(store, KEY.id, message, (message, edit, words))] == [other]


def test_what_a_conversation_knows_is_found_by_the_file() -> None:
    fox = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a fox")
    told = evolve(TOLD, unique_id="fox", description=fox)
    message = said("look", media_refs=(knowing(CAT), evolve(REF, unique_id="fox")))
    assert known_in((message, told)) == {REF.unique_id: CAT, "fox": fox}
