"""Calls of Firestore: time-outs, retries, and the translation of errors."""

from collections.abc import Iterator
from contextlib import contextmanager

from google.api_core import exceptions, retry_async

from shared.base.errors import StoreRefused, StoreUnavailable

#: seconds for one call with its retries: well inside Telegram's 60 s for a webhook
CALL_SECONDS = 10.0

#: a create or a guarded commit may be repeated: the second one finds the first
RETRY = retry_async.AsyncRetry(
    predicate=retry_async.if_exception_type(
        exceptions.ServiceUnavailable,
        exceptions.ResourceExhausted,
        exceptions.InternalServerError,
        exceptions.Aborted,  # too many writes of one document at once; says nothing about its state
    ),
    initial=0.1,
    maximum=2.0,
    multiplier=2.0,
    timeout=CALL_SECONDS,
)

#: errors of a request that is wrong or too large: a retry fails again
REFUSED = (exceptions.InvalidArgument, exceptions.OutOfRange)

#: errors of a write whose document changed since it was read
CHANGED = (exceptions.FailedPrecondition, exceptions.AlreadyExists, exceptions.NotFound)


@contextmanager
def translate_errors(what: str) -> Iterator[None]:
    """Raise StoreRefused for what Firestore will never do, and StoreUnavailable for other errors.

    `what` names the call.
    """
    try:
        yield
    except REFUSED as cause:
        raise StoreRefused(f"Firestore will never {what} as it is ({type(cause).__name__})") from cause
    except (exceptions.GoogleAPICallError, exceptions.RetryError) as cause:
        raise StoreUnavailable(f"Firestore did not {what} ({type(cause).__name__})") from cause
