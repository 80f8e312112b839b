"""Ports are given by their types."""

import pytest

from shared.base.errors import PortMissing
from shared.chat.store.bots import FirestoreOwners
from shared.chat.store.chats import FirestoreChats
from shared.llm.ports.world import NO_PORTS, PortRegistry

STORE, OWNERS = object(), object()
ALL = PortRegistry({FirestoreChats: STORE, FirestoreOwners: OWNERS})


def test_a_port_is_found_by_its_type() -> None:
    assert ALL[FirestoreChats] is STORE
    assert ALL[FirestoreOwners] is OWNERS


def test_only_what_is_needed_is_given() -> None:
    some = ALL.only([FirestoreOwners], "/claim")
    assert some[FirestoreOwners] is OWNERS
    with pytest.raises(PortMissing, match="no port FirestoreChats; name it in `needs`; given: FirestoreOwners"):
        some[FirestoreChats]


def test_what_is_not_there_is_said_by_name() -> None:
    with pytest.raises(PortMissing, match="/claim needs FirestoreOwners, which it is not given; given: nothing"):
        NO_PORTS.only([FirestoreOwners], "/claim")


def test_what_stands_behind_a_port_is_not_shown() -> None:
    assert repr(PortRegistry({FirestoreOwners: "the secret"})) == "given: FirestoreOwners"
