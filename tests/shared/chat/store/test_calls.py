"""Firestore's errors are translated, without the text that Firestore gives them."""

from collections.abc import Callable

import pytest
from google.api_core import exceptions

from shared.base.errors import LeaseLost, StoreRefused, StoreUnavailable
from shared.chat.store.calls import CHANGED, REFUSED, RETRY, translate_errors

KINDS: list[type[Exception]] = [
    exceptions.ServiceUnavailable,
    exceptions.DeadlineExceeded,
    exceptions.PermissionDenied,
    exceptions.ResourceExhausted,
]
RETRIED: type[Exception] = exceptions.Aborted
GIVEN_UP: Callable[..., Exception] = exceptions.RetryError
FOREIGN = [*(kind("secret") for kind in KINDS), GIVEN_UP("secret", cause=None)]


@pytest.mark.parametrize("foreign", FOREIGN, ids=lambda error: type(error).__name__)
def test_whatever_firestore_says_the_store_is_unavailable(foreign: Exception) -> None:
    with pytest.raises(StoreUnavailable) as caught, translate_errors("read a chat"):
        raise foreign
    assert str(caught.value) == f"Firestore did not read a chat ({type(foreign).__name__})"
    assert caught.value.__cause__ is foreign
    assert not isinstance(caught.value, StoreRefused)


@pytest.mark.parametrize("kind", REFUSED)
def test_distinguishes_refusals_for_good(kind: type[Exception]) -> None:
    with pytest.raises(StoreRefused) as caught, translate_errors("commit"):
        raise kind("secret")
    assert str(caught.value) == f"Firestore will never commit as it is ({kind.__name__})"


def test_lulls_own_errors_pass() -> None:
    with pytest.raises(LeaseLost), translate_errors("commit"):
        raise LeaseLost("gone")


async def test_contention_is_tried_again_and_a_changed_document_is_not() -> None:
    tries = list[str]()

    async def contended() -> str:
        tries.append("try")
        if len(tries) < 3:
            raise RETRIED("too much contention")
        return "done"

    assert await RETRY(contended)() == "done"
    assert len(tries) == 3
    for kind in CHANGED:

        async def changed(kind: type[Exception] = kind) -> None:
            raise kind("changed")

        with pytest.raises(kind):
            await RETRY(changed)()
