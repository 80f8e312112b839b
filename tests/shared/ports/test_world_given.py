"""Ports are given by their types."""

import pytest

from shared.errors import PortMissing
from shared.ports.chats import ChatStore, Owners
from shared.ports.world import NO_PORTS, Ports

STORE, OWNERS = object(), object()
ALL = Ports({ChatStore: STORE, Owners: OWNERS})


def test_a_port_is_found_by_its_type() -> None:
    assert ALL[ChatStore] is STORE
    assert ALL[Owners] is OWNERS


def test_only_what_is_needed_is_given() -> None:
    some = ALL.only([Owners], "/claim")
    assert some[Owners] is OWNERS
    with pytest.raises(PortMissing, match="there is no ChatStore here: `needs` must name it; given: Owners"):
        some[ChatStore]


def test_what_is_not_there_is_said_by_name() -> None:
    with pytest.raises(PortMissing, match="/claim needs Owners, which it is not given; given: nothing"):
        NO_PORTS.only([Owners], "/claim")


def test_what_stands_behind_a_port_is_not_shown() -> None:
    assert repr(Ports({Owners: "the secret"})) == "given: Owners"
