"""Computes embeddings of texts with a small model and ONNX Runtime.

Its libraries take half a second to import, so they are imported when the first vector is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from local.model.minilm_files import Files

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: most tokens of a text that are read (the model's `max_seq_length`, sentence_bert_config.json)
TOKENS = 256


class Encoder:
    """The loaded embedding model, which needs 160 MB of memory. Calls block the calling thread, but do not hold
    Python's GIL.
    """

    def __init__(self, files: Files) -> None:
        """Load the model, which takes one or two seconds."""
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        # one thread: a second thread gains nothing while functions and the other model run
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # both would retain the memory of the largest texts so far: 90 MB
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
        self._session: Any = onnxruntime.InferenceSession(files.model, options, providers=["CPUExecutionProvider"])
        self._tokenizer: Any = Tokenizer.from_file(str(files.tokenizer))
        self._tokenizer.enable_truncation(TOKENS)
        self._tokenizer.enable_padding()

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a unit vector (384 numbers, norm 1) for each text. Every text is padded to the length of the longest
        one, so it takes as much time as the longest one.
        """
        import numpy as np

        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([one.ids for one in encoded], dtype=np.int64)
        mask = np.array([one.attention_mask for one in encoded], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (hidden,) = self._session.run(None, given)
        # 32-bit floats hold 7 digits
        found: list[list[float]] = np.round(pooled(hidden, mask), 7).tolist()
        return found


def pooled(hidden: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the mean of each text's token vectors, normalized to norm 1.

    `hidden` has the shape texts × tokens × numbers; `mask` has the shape texts × tokens, with 0 for padding.
    """
    import numpy as np

    weights = mask[..., None].astype(hidden.dtype)
    mean = (hidden * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
    unit: NDArray[np.float32] = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12)
    return unit
