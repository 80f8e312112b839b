from local.telegram.errors import WorldRefused, bad_request, forbidden, too_many_requests


def test_errors_are_written_as_telegram_writes_them() -> None:
    assert bad_request("chat not found").body == {
        "ok": False,
        "error_code": 400,
        "description": "Bad Request: chat not found",
    }
    assert forbidden("bot was blocked by the user").description == "Forbidden: bot was blocked by the user"


def test_parameters_come_with_the_errors_that_have_them() -> None:
    assert too_many_requests(7).body["parameters"] == {"retry_after": 7}
    assert bad_request("moved", {"migrate_to_chat_id": -100}).body["parameters"] == {"migrate_to_chat_id": -100}


def test_a_persons_refusal_is_a_sentence() -> None:
    refused = WorldRefused("There is no chat x.", 404)
    assert (str(refused), refused.status) == ("There is no chat x.", 404)
