"""A small model of embeddings at work: texts to vectors, by ONNX Runtime.

Its libraries take half a second to import, so that they are imported when the first vector is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from local.gemini.minilm_files import Files

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: tokens of a text that are read (the model's `max_seq_length`, sentence_bert_config.json)
TOKENS = 256


class Encoder:
    """The model, loaded: 160 MB. Its calls hold a thread, and no lock of Python's."""

    def __init__(self, files: Files) -> None:
        """Takes a second or two."""
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        # one thread: of two the second gains nothing while functions and the other model run beside it
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # both keep what the largest texts ever took: 90 MB
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
        self._session: Any = onnxruntime.InferenceSession(files.model, options, providers=["CPUExecutionProvider"])
        self._tokenizer: Any = Tokenizer.from_file(str(files.tokenizer))
        self._tokenizer.enable_truncation(TOKENS)
        self._tokenizer.enable_padding()

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length 1 for each text, of 384 numbers; each counts as much as the longest among them."""
        import numpy as np

        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([one.ids for one in encoded], dtype=np.int64)
        mask = np.array([one.attention_mask for one in encoded], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (hidden,) = self._session.run(None, given)
        # 7 digits are all that 32 bits hold
        found: list[list[float]] = np.round(pooled(hidden, mask), 7).tolist()
        return found


def pooled(hidden: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    """Of each text the mean of its tokens' vectors, as a vector of length 1.

    `hidden` is texts by tokens by numbers, `mask` texts by tokens, 0 for what only fills a row up.
    """
    import numpy as np

    weights = mask[..., None].astype(hidden.dtype)
    mean = (hidden * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
    unit: NDArray[np.float32] = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12)
    return unit
