import numpy as np
import pytest

from local.model.download import models_folder
from local.model.encoder import Encoder, pooled
from local.model.minilm_files import MINILM, TOKENIZER, Files
from local.model.model_file import is_right


def test_a_texts_vector_is_the_mean_of_its_tokens_without_what_fills_the_row() -> None:
    hidden = np.array([[[3.0, 0.0], [0.0, 4.0], [9.0, 9.0]], [[1.0, 0.0], [9.0, 9.0], [9.0, 9.0]]], dtype=np.float32)
    mask = np.array([[1, 1, 0], [1, 0, 0]], dtype=np.int64)
    assert pooled(hidden, mask) == pytest.approx(np.array([[0.6, 0.8], [1.0, 0.0]]))
    assert pooled(hidden, np.zeros_like(mask)).shape == (2, 2)


def test_the_real_model_puts_what_means_the_same_together() -> None:
    files = Files(models_folder() / MINILM.file_name, models_folder() / TOKENIZER.file_name)
    if not is_right(files.model, MINILM) or not is_right(files.tokenizer, TOKENIZER):
        pytest.skip("its files are not on this machine: `make dev` fetches them")
    encoder = Encoder(files)
    texts = ["A dog barks.", "The hound is barking in the yard, and it has been for hours.", "Stock prices fell.", ""]
    found = np.array(encoder.vectors(texts))
    assert found.shape == (4, 384)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1, abs=1e-5)
    assert found[0] @ found[1] > 0.5 > 0.2 > found[0] @ found[2]
    # other texts in the batch only pad the row of a text, which changes its vector very little
    assert found[0] @ np.array(encoder.vectors(texts[:1])[0]) > 0.99
    assert len(encoder.vectors(["word " * 5_000])[0]) == 384
