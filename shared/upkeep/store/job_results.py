"""The results of scheduled jobs in Firestore: one document with the last run of each job."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pydantic import ValidationError

from shared.base.errors import StoreError
from shared.base.logs import log_failure
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.values.job_result import JobOutcome


class FirestoreJobResults(FirestoreStore):
    """The last run of each job. Each instance has one client, made inside the running event loop."""

    async def note(self, job: str, result: JobOutcome) -> None:
        """Store the result of a job's run in place of the previous one. If Firestore fails, that is only logged."""
        document: Any = self.client.document(paths.JOB_RUNS)  # the client declares `merge` as a bool only
        try:
            with translate_errors("store a job's result"):
                await document.set({job: result.model_dump()}, merge=[job], retry=RETRY, timeout=CALL_SECONDS)
        except StoreError as error:  # the job itself is done, and must not be repeated because of this
            log_failure(error)

    async def read(self) -> Mapping[str, JobOutcome]:
        """Return the last run of each job by its name. Raises StoreUnavailable or StoreRefused."""
        with translate_errors("read the jobs' results"):
            found = await self.client.document(paths.JOB_RUNS).get(retry=RETRY, timeout=CALL_SECONDS)
        return decode_job_results(found.to_dict())


def decode_job_results(document: layout.Document | None) -> Mapping[str, JobOutcome]:
    """Return the results in a document. Malformed ones are left out."""
    results = dict[str, JobOutcome]()
    for job, stored in (document or {}).items():
        with suppress(ValidationError):
            results[job] = JobOutcome.model_validate(stored)
    return results
