"""Text that can be stored and sent, from text that a model may have garbled."""


def well_formed(text: str) -> str:
    """The text with surrogate pairs joined and each lone surrogate replaced by U+FFFD: UTF-8 cannot write them."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
