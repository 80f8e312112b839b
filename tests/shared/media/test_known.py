"""Descriptions at hand: curated ones before stored ones."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from shared.media.known import KnownMedia
from shared.media.store.curations import CuratedEdit, FirestoreCurations
from shared.media.store.descriptions import FirestoreDescriptions
from shared.media.store.media import FirestoreMedia
from shared.values.curated import CuratedMedia
from shared.values.media import CURATED, Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.reference import FileReference
from tests.shared.examples import NOW

KEPT = {
    "kept": Description(outcome=DescriptionOutcome.DESCRIBED, shows="A boat.", source="a-model"),
    "curated": Description(outcome=DescriptionOutcome.DESCRIBED, shows="Something green.", source="a-model"),
    "broken": Description(outcome=DescriptionOutcome.PERMANENT_FAILURE, why="It is broken."),
    "said": Description(outcome=DescriptionOutcome.DESCRIBED, says="Hello.", source="a-model"),
}
FROG = CuratedMedia(unique_id="curated", kind=MediaKind.STICKER, description="Our frog.")
BY_NAME = CuratedMedia(kind=MediaKind.STICKER, sticker_set_name="Frogs", sticker_name="😂 2", description="Second.")


@dataclass
class Kept(FirestoreDescriptions):
    """Stored descriptions, with the requests for them."""

    asked: list[list[str]] = field(default_factory=list)

    async def of_files(self, unique_ids: Collection[str]) -> Mapping[str, Description]:
        self.asked.append(list(unique_ids))
        return {one: KEPT[one] for one in unique_ids if one in KEPT}

    async def of_stickers(self, unique_ids: Collection[str]) -> tuple[Mapping[str, Description], Collection[str]]:
        return await self.of_files(unique_ids), [one for one in unique_ids if one not in KEPT]


@dataclass
class Requests(FirestoreMedia):
    """Files that were left to be described."""

    left: list[FileReference] = field(default_factory=list)

    async def leave(self, references: Sequence[FileReference]) -> None:
        self.left += references


@dataclass
class Edits(FirestoreCurations):
    """What the agent's owner wrote in the console about files."""

    written: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def of_agent(self, agent: str) -> Mapping[str, CuratedEdit]:
        self.asked.append(agent)
        kind = MediaKind.STICKER
        return {
            name: CuratedEdit(unique_id=name, kind=kind, description=text, by=1, edited_at=NOW)
            for name, text in self.written.items()
        }


def known_by(kept: Kept, requests: Requests | None = None, edits: Edits | None = None) -> KnownMedia:
    curated = {name: one for one in (FROG, BY_NAME) for name in one.names}
    return KnownMedia(agent="lull", curated=curated, kept=kept, requests=requests, clock=lambda: NOW, edits=edits)


def refs(*unique_ids: str) -> list[MediaRef]:
    return [MediaRef(kind=MediaKind.STICKER, file_id=f"f-{one}", unique_id=one) for one in unique_ids]


async def test_what_was_written_comes_first_and_is_not_asked_for() -> None:
    kept = Kept()
    found = await known_by(kept).of_files(refs("kept", "curated", "broken", "new"))
    assert {name: one.shows or one.why for name, one in found.items()} == {
        "kept": "A boat.",
        "curated": "Our frog.",
        "broken": "It is broken.",
    }
    assert kept.asked == [["kept", "broken", "new"]]


async def test_the_owner_s_words_win_over_a_model_s_and_yield_to_files() -> None:
    kept, edits = Kept(), Edits({"kept": "Our boat.", "curated": "No frog."})
    found = await known_by(kept, edits=edits).of_files(refs("kept", "curated", "broken"))
    assert [found[name].shows for name in ("kept", "curated")] == ["Our boat.", "Our frog."]
    assert (found["kept"].source, kept.asked, edits.asked) == (CURATED, [["broken"]], ["lull"])
    await known_by(kept, edits=edits).of_files(refs("curated"))
    assert edits.asked == ["lull"], "nothing is read if files of the deployment describe everything"


async def test_own_stickers_are_known_by_their_names_and_the_others_are_asked_for() -> None:
    kept, requests = Kept(), Requests()
    second = MediaRef(kind=MediaKind.STICKER, file_id="f", unique_id="x", emoji="😂 2", set_name="frogs")
    stickers = [*refs("kept", "broken", "said", "new"), second]
    found = await known_by(kept, requests).of_stickers(stickers)
    told = {name: (one.shows, one.source) for name, one in found.items()}
    assert told == {"kept": ("A boat.", "a-model"), "x": ("Second.", CURATED)}
    (left,) = requests.left
    assert (left.ref.unique_id, left.agent, left.chat, left.person, left.is_open) == ("new", "lull", "", 0, True)
    assert await known_by(kept).of_stickers(refs("new")) == {}
