"""Opens films and sounds. The first bytes of a file decide which parser may read it, and few codecs are allowed."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Final

import av
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.video.stream import VideoStream

from shared.base.errors import FileUnsupported, FileUnusable
from shared.reader.decode.kinds import DetectedType
from shared.reader.decode.sentences import BROKEN, CODEC

#: the codecs of the films and sounds that people send; the library's other decoders cannot be reached
CODECS: Final = (
    "h264", "hevc", "mpeg4", "vp8", "vp9", "libvpx-vp9", "libvpx", "av1", "libdav1d", "mjpeg",
    "opus", "libopus", "vorbis", "aac", "mp3", "mp3float", "flac", "alac", "amrnb", "amrwb",
    "libopencore_amrnb", "libopencore_amrwb",
    "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_u8", "pcm_f32le", "pcm_alaw", "pcm_mulaw",
)  # fmt: skip
_OPTIONS: Final = {
    # a container must not be able to open other addresses or files
    "protocol_whitelist": "none",
    "codec_whitelist": ",".join(CODECS),
    "max_streams": "16",
    "probesize": "2000000",
}


@contextmanager
def open_container(content: bytes, real: DetectedType, *, is_played_whole: bool = False) -> Iterator[InputContainer]:
    """Open a container for a `with` block. Raises FileUnusable, also if the block finds the container broken.

    With `is_played_whole`, the edit list of an MP4, which can hide parts from players, is ignored.
    """
    options = _OPTIONS | {"ignore_editlist": "1"} if is_played_whole else _OPTIONS
    try:
        with av.open(BytesIO(content), "r", format=real.format, options=options, metadata_errors="ignore") as found:
            if not len(found.streams):
                raise FileUnusable(BROKEN.format(name=real.name))
            for stream in (*found.streams.video, *found.streams.audio):
                if stream.codec_context is not None:  # it is None for a codec that is not listed
                    stream.codec_context.thread_count = 1
            yield found
    except av.error.MemoryError:
        raise MemoryError from None
    except (av.FFmpegError, ValueError, OverflowError, EOFError) as cause:
        raise FileUnusable(BROKEN.format(name=real.name)) from cause


def refuse_unknown(stream: VideoStream | AudioStream, real: DetectedType) -> None:
    """Raise FileUnsupported if the codec of the stream is not one of the allowed `CODECS`."""
    context = stream.codec_context
    if context is None or context.name not in CODECS:
        raise FileUnsupported(CODEC.format(name=real.name))
