from local.telegram.callbacks import CallbackQueries
from local.telegram.messages import LocalMessage


def test_a_query_is_answered_once_and_by_its_bot() -> None:
    queries = CallbackQueries()
    queries.open("q1", 7, LocalMessage(chat="p1-7", id=4, sender=7, date=0))
    assert queries.answer("q1", 8) is None
    assert queries.answer("q2", 7) is None
    answered = queries.answer("q1", 7)
    assert answered is not None
    assert (answered.chat, answered.message_id) == ("p1-7", 4)
    assert queries.answer("q1", 7) is None
