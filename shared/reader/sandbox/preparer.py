"""The preparer: has files decoded by processes of their own (media_process.py)."""

from dataclasses import dataclass, field
from typing import Final

from shared.base.errors import NoAnswer, NoTurn
from shared.reader.decode.decode_options import LONGEST_S
from shared.reader.decode.sentences import BUSY, TOO_MUCH
from shared.reader.sandbox.media_process import MEMORY_BYTES, SOUND_S
from shared.reader.sandbox.prepared_frames import MOST_HEAD, prepared_of
from shared.reader.sandbox.worker_pool import WorkerPool
from shared.values.prepared import MOST_PREPARED_BYTES, PreparedFile

#: files that are decoded at once: each may take much memory, and an instance has one processor
AT_ONCE: Final = 1
#: with the wait for its turn, for the pipes, and for a process that has to import its decoders first
WHOLE_S: Final = 2 * LONGEST_S + 5.0


def decoders(
    at_once: int = AT_ONCE, whole_s: float = WHOLE_S, memory_bytes: int = MEMORY_BYTES, longest_s: int = SOUND_S
) -> WorkerPool:
    """Processes that decode files; `memory_bytes` is what a file may take besides what its process begins with, and
    `longest_s` how many seconds of a sound or a film are kept.
    """
    command = ("shared.reader.sandbox.media_process", str(memory_bytes), str(longest_s))
    return WorkerPool(
        command=command, at_once=at_once, whole_s=whole_s, most_head=MOST_HEAD, most_body=MOST_PREPARED_BYTES
    )


@dataclass
class SandboxedPreparer:
    """It is made once per instance; its processes start with the first file and end with it."""

    pool: WorkerPool = field(default_factory=decoders)

    async def prepare(self, kind: str, mime_type: str, content: bytes) -> PreparedFile:
        """What a model takes of a file, or with the kind SPEECH a voice note; any failure is told in `problem`."""
        try:
            return prepared_of(*await self.pool.answer({"kind": kind, "mime_type": mime_type}, content))
        except NoTurn:
            return PreparedFile(problem=BUSY, may_retry=True)
        except (NoAnswer, ValueError):
            return PreparedFile(problem=TOO_MUCH)

    async def aclose(self) -> None:
        """End the processes."""
        await self.pool.aclose()
