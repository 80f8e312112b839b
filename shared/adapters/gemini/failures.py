"""What can go wrong with a call of Gemini's API, as ModelUnavailable or ModelRefused."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError

from shared.adapters.gemini.trouble import Refusal, translated
from shared.errors import ModelRefused, ModelTrouble, ModelUnavailable


def in_doubt(why: str) -> ModelUnavailable:
    """The error of a call of which nobody knows what came of it, nor whether it has to be paid for."""
    error = ModelUnavailable(why)
    error.may_be_paid = True
    return error


@contextmanager
def in_our_words() -> Iterator[None]:
    """Translates what GeminiApi raises. Gemini's own texts may quote the prompt, so nothing of them is repeated."""
    try:
        yield
    except Refusal as cause:
        raise translated(cause) from None
    except DefaultCredentialsError:
        raise ModelRefused(
            "there are no Google Cloud credentials here to ask Vertex AI with", trouble=ModelTrouble.MISCONFIGURED
        ) from None
    except (
        httpx.ConnectError,
        httpx.ConnectTimeout,
        httpx.PoolTimeout,
        GoogleAuthError,
    ) as cause:  # it was never asked
        raise ModelUnavailable(f"Gemini did not answer ({type(cause).__name__})") from None
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as cause:
        raise in_doubt(f"Gemini did not answer ({type(cause).__name__})") from None
    except (ValueError, RecursionError) as cause:  # what came is no JSON
        raise in_doubt(f"Gemini's answer cannot be read ({type(cause).__name__})") from None
