"""Whatever a call raises is told in lull's words, and nothing of Gemini's is repeated."""

import httpx
import pytest
from google.auth.exceptions import DefaultCredentialsError, RefreshError

from shared.adapters.gemini.failures import in_our_words
from shared.adapters.gemini.trouble import Refusal
from shared.errors import ModelRefused, ModelTrouble, ModelUnavailable

SAID = {"error": {"message": "a secret of Ann's"}}


@pytest.mark.parametrize(
    "cause",
    [
        httpx.ReadTimeout("a secret"),
        httpx.InvalidURL("a secret"),
        TimeoutError("a secret"),
        RefreshError("a secret"),  # type: ignore[no-untyped-call]
        ValueError("a secret"),
        RecursionError("a secret"),
        Refusal(503, SAID),
    ],
)
def test_what_may_pass_is_unavailable(cause: Exception) -> None:
    with pytest.raises(ModelUnavailable) as raised, in_our_words():
        raise cause
    assert "secret" not in str(raised.value)
    assert raised.value.__suppress_context__


def test_what_stays_is_refused() -> None:
    with pytest.raises(ModelRefused) as raised, in_our_words():
        raise DefaultCredentialsError("a secret")  # type: ignore[no-untyped-call]
    assert raised.value.trouble is ModelTrouble.MISCONFIGURED
    with pytest.raises(ModelRefused) as raised, in_our_words():
        raise Refusal(400, SAID)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("cause", "may_be_paid"),
    [
        (httpx.ReadTimeout("late"), True),
        (ValueError("no JSON"), True),
        (httpx.ConnectError("nobody"), False),
        (Refusal(500, SAID), False),
        (Refusal(503, SAID), False),
    ],
)
def test_only_where_nobody_knows_what_came_of_it_may_it_have_to_be_paid(cause: Exception, may_be_paid: bool) -> None:
    with pytest.raises(ModelUnavailable) as raised, in_our_words():
        raise cause
    assert raised.value.may_be_paid is may_be_paid
