from local.telegram.faults import TelegramFault, TelegramFaultKind, TelegramFaults


def taken(faults: TelegramFaults, method: str, bot_id: int = 1, chat_id: int | None = None) -> str | None:
    fault = faults.take(method, bot_id, chat_id)
    return fault.kind.value if fault else None


def test_a_fault_is_suffered_as_often_as_asked_for() -> None:
    faults = TelegramFaults()
    faults.add(TelegramFault(method="sendMessage", kind=TelegramFaultKind.TOO_MANY, times=2))
    assert [taken(faults, "sendmessage") for _ in range(3)] == ["429", "429", None]


def test_it_hits_only_what_it_is_meant_for() -> None:
    faults = TelegramFaults()
    faults.add(TelegramFault(method="sendMessage", kind=TelegramFaultKind.SLOW, bot_id=1, chat_id=5))
    assert taken(faults, "getMe", 1, 5) is None
    assert taken(faults, "sendMessage", 2, 5) is None
    assert taken(faults, "sendMessage", 1, None) is None
    assert taken(faults, "sendMessage", 1, 5) == "slow"


def test_a_star_is_any_method_but_no_delivery() -> None:
    faults = TelegramFaults()
    faults.add(TelegramFault(method="*", kind=TelegramFaultKind.BAD_GATEWAY))
    assert taken(faults, "webhook") is None
    assert taken(faults, "getMe") == "502"


def test_faults_come_in_the_order_asked_for_and_can_be_called_off() -> None:
    faults = TelegramFaults()
    faults.add(TelegramFault(method="*", kind=TelegramFaultKind.CUT_BEFORE))
    faults.add(TelegramFault(method="getMe", kind=TelegramFaultKind.CUT_AFTER))
    assert taken(faults, "getMe") == "cut_before"
    faults.clear()
    assert taken(faults, "getMe") is None
