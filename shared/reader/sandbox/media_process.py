"""The decoding process: `python -m shared.reader.sandbox.media_process BYTES SECONDS`.

BYTES is the memory limit for a file, in addition to the process's own memory. SECONDS is how much of a sound or a film
is kept. The process imports the decoders once, and forks for each file (forking.py). The parent process, which contains
the rest of the function, never imports the decoders.
"""

import sys
from typing import Any, Final

from shared.reader.decode.decode_options import decode_options_for
from shared.reader.sandbox.forking import OUT_OF_MEMORY, ForkLimits, run_in_fork
from shared.reader.sandbox.frames import read_frame
from shared.reader.sandbox.prepared_frames import MOST_FRAME, prepared_frame
from shared.values.prepared import SPEECH, PreparedFile

#: the default for SECONDS
SOUND_S: Final = 600
#: the default for BYTES
MEMORY_BYTES: Final = 512 * 1_048_576


def main() -> None:
    """Prepare one file after the other, until the parent process is gone."""
    memory, longest_s = map(int, sys.argv[1:3])
    _warm_up()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while (request := read_frame(requests)) is not None:
        answers.write(_answer(*request, memory, longest_s))
        answers.flush()
        del request  # frees up to 20 MiB


def _warm_up() -> None:
    from shared.reader.decode import prepare, voice

    prepare.prepare_file("photo", "", b"")
    assert voice


def _answer(header: dict[str, Any], body: bytes, memory: int, longest_s: int) -> bytes:
    """Return the answer frame for a file, or for the failure of its fork."""
    from shared.reader.decode.sentences import DIED, TOO_MUCH

    kind, mime_type = str(header.get("kind", "")), str(header.get("mime_type", ""))
    options = decode_options_for(kind)
    limits = ForkLimits(wall_s=options.wall_s, cpu_s=options.cpu_s, memory_bytes=memory, answer_bytes=MOST_FRAME)
    forked = run_in_fork(lambda: prepared_frame(_prepare(kind, mime_type, body, longest_s)), limits)
    if forked.status == 0:
        return forked.answer
    is_too_much = forked.status < 0 or forked.status == OUT_OF_MEMORY
    return prepared_frame(PreparedFile(problem=TOO_MUCH if is_too_much else DIED))


def _prepare(kind: str, mime_type: str, body: bytes, longest_s: int) -> PreparedFile:
    from shared.reader.decode.prepare import prepare_file
    from shared.reader.decode.voice import voice_note

    return voice_note(body, mime_type) if kind == SPEECH else prepare_file(kind, mime_type, body, longest_s)


if __name__ == "__main__":
    main()
