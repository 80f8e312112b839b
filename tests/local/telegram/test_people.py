from dataclasses import replace
from pathlib import Path

import pytest

from local.telegram.errors import WorldRefused
from local.telegram.people import FIRST_PERSON_ID, Bot, People, Person, bot_id_of
from local.telegram.store import WorldStore

MARVIN = Bot(id=7, token="7:secret", first_name="Marvin", username="Marvin_bot")


def test_people_get_ids_like_real_ones() -> None:
    people = People(WorldStore(None))
    ann = people.add_person(Person(id=0, first_name="Ann", username="Ann_a"))
    bob = people.add_person(Person(id=0, first_name="Bob"))
    assert (ann.id, bob.id) == (FIRST_PERSON_ID, FIRST_PERSON_ID + 1)
    assert people.people() == [ann, bob]


def test_people_change_and_stay_themselves() -> None:
    people = People(WorldStore(None))
    ann = people.add_person(Person(id=0, first_name="Ann", username="Ann_a"))
    kept = people.keep_person(replace(ann, refuses_voice=True))
    assert (people.person(ann.id), people.find_username("ann_a")) == (kept, kept)


def test_they_are_found_by_id_name_and_token() -> None:
    people = People(WorldStore(None))
    people.keep_bot(MARVIN)
    assert people.find_username("@marvin_BOT") == people.bot_with("7:secret") == people.find(7) == MARVIN
    assert people.bot_with("7:wrong") is None
    assert people.person(7) is None


def test_a_username_is_taken_once() -> None:
    people = People(WorldStore(None))
    people.keep_bot(MARVIN)
    with pytest.raises(WorldRefused, match="taken"):
        people.add_person(Person(id=0, first_name="Ann", username="marvin_bot"))


def test_a_token_does_not_show_itself() -> None:
    assert "secret" not in repr(MARVIN)


@pytest.mark.parametrize(("token", "id_"), [("7:abc", 7), ("7", None), ("x:abc", None), ("7:", None), ("7:a b", None)])
def test_a_token_begins_with_the_bots_id(token: str, id_: int | None) -> None:
    assert bot_id_of(token) == id_


def test_everyone_outlives_the_process(tmp_path: Path) -> None:
    store = WorldStore(tmp_path)
    people = People(store)
    people.keep_bot(MARVIN)
    ann = people.add_person(Person(id=0, first_name="Ann", username="ann"))
    store.close()
    again = WorldStore(tmp_path)
    kept = People(again)
    assert kept.bot_with("7:secret") == MARVIN
    assert kept.find_username("ann") == ann
    assert kept.add_person(Person(id=0, first_name="Bob")).id == ann.id + 1
    again.close()
