"""Formulas as text."""

import gc
import logging
import logging.config

import pytest

from shared.formatting.blocks import formula_text


@pytest.mark.parametrize(
    ("tex", "text"),
    [("x^2", "x²"), ("\\frac{1}{2}", "½"), ("a \\in \\mathbb{R}", "a ∈ ℝ"), ("E = mc^2", "E = mc²"), ("n", "n")],
)
def test_formulas_are_written_in_unicode(tex: str, text: str) -> None:
    assert formula_text(tex) == text


def test_what_cannot_be_written_stays_and_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    endless = "\\frac{" * 2000
    logging.config.dictConfig({"version": 1, "disable_existing_loggers": False})
    gc.collect()
    gc.disable()  # a finaliser of some other test that runs where the stack is full could not even complain
    try:
        with caplog.at_level(logging.DEBUG):
            assert formula_text(endless) == endless
    finally:
        gc.enable()
    assert caplog.records == []
