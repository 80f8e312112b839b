import pytest

from local.cloud_tasks.errors import CloudTasksError
from local.cloud_tasks.paging import first_after, page_length, page_of


def test_a_list_is_walked_through_page_by_page() -> None:
    names, token = [f"task-{n:02d}" for n in range(7)], ""
    seen: list[str] = []
    for expected in (3, 3, 1):
        after = first_after(token)
        found = [name for name in names if name > after][: 3 + 1]
        page = page_of(found, 3, lambda name: name)
        assert len(page.items) == expected
        seen, token = seen + page.items, page.next_token
    assert (seen, token) == (names, "")


def test_the_last_full_page_has_no_next() -> None:
    assert page_of(["a", "b"], 2, lambda name: name).next_token == ""


@pytest.mark.parametrize(("asked", "length"), [(0, 1000), (10, 10), (5000, 1000)])
def test_page_length(asked: int, length: int) -> None:
    assert page_length(asked, 1000) == length


def test_a_negative_length_and_a_foreign_token_are_refused() -> None:
    with pytest.raises(CloudTasksError):
        page_length(-1, 1000)
    with pytest.raises(CloudTasksError):
        first_after("not a token")
