"""What can go wrong with a call of Gemini's API, as ModelUnavailable or ModelRefused."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError

from shared.adapters.gemini.trouble import Refusal, translated
from shared.errors import ModelRefused, ModelTrouble, ModelUnavailable


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
    except (httpx.HTTPError, httpx.InvalidURL, OSError, GoogleAuthError) as cause:
        raise ModelUnavailable(f"Gemini did not answer ({type(cause).__name__})") from None
    except (ValueError, RecursionError) as cause:  # what came is no JSON
        raise ModelUnavailable(f"Gemini's answer cannot be read ({type(cause).__name__})") from None
