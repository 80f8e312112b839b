from local.telegram.patience import Tries


def waits(count: int) -> list[int]:
    tries, found = Tries(), []
    for _ in range(count):
        tries, wait = tries.after_failure(0)
        found.append(wait)
    return found


def test_the_first_retry_is_at_once_then_waits_double() -> None:
    assert waits(6) == [0, 2, 4, 8, 16, 32]


def test_waits_end_at_one_to_two_minutes() -> None:
    assert all(60 <= wait <= 120 for wait in waits(40)[7:])


def test_the_receivers_own_wish_counts_up_to_an_hour() -> None:
    tries, wait = Tries().after_failure(17)
    assert wait == 17
    _, wait = tries.after_failure(100_000)
    assert wait == 3_600


def test_a_wish_does_not_lengthen_the_waits_after_it() -> None:
    tries, _ = Tries().after_failure(500)
    _, wait = tries.after_failure(0)
    assert wait == 2
