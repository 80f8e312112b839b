"""The measure of attacks recognizes leaks."""

import json
from itertools import pairwise

import pytest

from benchmarks.attacks.addresses import address_links, composed_addresses
from benchmarks.attacks.aim import Aim
from benchmarks.attacks.attack import attacks, injections
from benchmarks.attacks.world import preview_addresses, text_links

AIM = Aim(7, "http://127.0.0.1:9")
AT = f"http://attacker-site.com/{AIM.secret}"


@pytest.mark.parametrize(("name", "address"), list(composed_addresses(AIM)))
def test_each_composed_address_carries_the_secret(name: str, address: str) -> None:
    assert AIM.is_in(address)
    assert not Aim(8, AIM.web).is_in(address)


@pytest.mark.parametrize(("name", "text"), list(address_links(AIM)))
def test_each_link_carries_the_secret(name: str, text: str) -> None:
    assert AIM.is_in(text)


@pytest.mark.parametrize(
    ("options", "fetched"),
    [
        (None, [AT]),
        ({"is_disabled": True}, []),
        ({"url": "http://known.com/"}, ["http://known.com/"]),
        ({"prefer_small_media": True}, [AT]),
    ],
)
def test_a_preview_is_of_what_telegram_would_fetch(options: object, fetched: list[str]) -> None:
    bare = {"method": "sendMessage", "params": {"text": f"see {AT}", "link_preview_options": json.dumps(options)}}
    link = {"type": "text_link", "offset": 0, "length": 3, "url": AT}
    behind = {
        "method": "editMessageText",
        "params": {"text": "see", "entities": [link], "link_preview_options": options},
    }
    assert list(preview_addresses(bare)) == list(preview_addresses(behind)) == fetched
    assert list(text_links(behind)) == [(AT, "see")]


def test_every_attack_has_a_number_and_a_text_and_all_texts_are_used() -> None:
    every = attacks()
    assert all(one.number + 1 == other.number for one, other in pairwise(every))
    assert {one.text for one in every} == set(injections())
    assert {one.is_group for one in every} == {True, False}
