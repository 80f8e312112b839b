from local.telegram.calls import CallLog, LoggedCall


def add(log: CallLog, method: str) -> None:
    n = log.next_number()
    log.add(LoggedCall(n=n, bot_id=1, method=method, params={}, status=200, ok=True, description=None, at=0.0))


def test_calls_are_numbered_and_read_after_a_number() -> None:
    log = CallLog(10)
    for method in ("getMe", "sendMessage", "getFile"):
        add(log, method)
    assert [(call.n, call.method) for call in log.after(1)] == [(2, "sendMessage"), (3, "getFile")]
    assert [call.n for call in log.after(0, "getFile")] == [3]


def test_only_the_last_calls_are_kept() -> None:
    log = CallLog(2)
    for method in ("a", "b", "c"):
        add(log, method)
    assert [call.n for call in log.after(0)] == [2, 3]
