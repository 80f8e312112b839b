"""The preparer: lets separate processes (media_process.py) decode files."""

from dataclasses import dataclass, field
from typing import Final

from shared.base.errors import ParserBusy, ParserFailed
from shared.reader.decode.decode_options import LONGEST_S
from shared.reader.decode.sentences import BUSY, TOO_MUCH
from shared.reader.sandbox.media_process import MEMORY_BYTES, SOUND_S
from shared.reader.sandbox.prepared_frames import MOST_HEAD, prepared_of
from shared.reader.sandbox.worker_pool import WorkerPool
from shared.values.prepared import MOST_PREPARED_BYTES, PreparedFile

#: the number of files that are decoded at once: a file may take much memory, and an instance has one processor
AT_ONCE: Final = 1
#: the maximum seconds for a file, including its wait, the pipes, and the start of a process that imports the decoders
WHOLE_S: Final = 2 * LONGEST_S + 5.0


def decoders(
    at_once: int = AT_ONCE, whole_s: float = WHOLE_S, memory_bytes: int = MEMORY_BYTES, longest_s: int = SOUND_S
) -> WorkerPool:
    """Return the pool of processes that decode files.

    `memory_bytes` is the limit for a file, in addition to the process's own memory. `longest_s` is the length in
    seconds to which a sound or a film is cut.
    """
    command = ("shared.reader.sandbox.media_process", str(memory_bytes), str(longest_s))
    return WorkerPool(
        command=command, at_once=at_once, whole_s=whole_s, most_head=MOST_HEAD, most_body=MOST_PREPARED_BYTES
    )


@dataclass
class SandboxedPreparer:
    """Prepares files in separate processes, which start with the first file. There is one preparer in each instance."""

    pool: WorkerPool = field(default_factory=decoders)

    async def prepare(self, kind: str, mime_type: str, content: bytes) -> PreparedFile:
        """Prepare a file for a model or, for SPEECH, make a voice note. On failure, the result's `problem` says why."""
        try:
            return prepared_of(*await self.pool.answer({"kind": kind, "mime_type": mime_type}, content))
        except ParserBusy:
            return PreparedFile(problem=BUSY, may_retry=True)
        except (ParserFailed, ValueError):
            return PreparedFile(problem=TOO_MUCH)

    async def aclose(self) -> None:
        await self.pool.aclose()
