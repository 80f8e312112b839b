"""The result of reading a page, as the reader sends it to the tick."""

from shared.values.page import PageKind, PageResult


def test_a_page_is_read_back_as_it_was_written() -> None:
    page = PageResult(asked="https://a.example/", url="https://a.example/b", kind=PageKind.PDF, text="x", is_cut=True)
    assert PageResult.model_validate_json(page.model_dump_json()) == page


def test_a_problem_has_no_text() -> None:
    assert PageResult(asked="https://a.example/", problem="The page says 404: there is none.").text == ""
