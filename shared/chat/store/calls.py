"""How Firestore is called: time-outs, repeats, and its errors in lull's words."""

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
        exceptions.Aborted,  # too many at the same document at once; says nothing about its state
    ),
    initial=0.1,
    maximum=2.0,
    multiplier=2.0,
    timeout=CALL_SECONDS,
)

#: what is said of a request that is wrong or too large, however often it is made
REFUSED = (exceptions.InvalidArgument, exceptions.OutOfRange)

#: what a write says when the document is not in the state that it was read in
CHANGED = (exceptions.FailedPrecondition, exceptions.AlreadyExists, exceptions.NotFound)


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Raise StoreRefused for what Firestore will never do as it is, StoreUnavailable for whatever else went wrong.

    `what` names the call.
    """
    try:
        yield
    except REFUSED as cause:
        raise StoreRefused(f"Firestore will never {what} as it is ({type(cause).__name__})") from cause
    except (exceptions.GoogleAPICallError, exceptions.RetryError) as cause:
        raise StoreUnavailable(f"Firestore did not {what} ({type(cause).__name__})") from cause
