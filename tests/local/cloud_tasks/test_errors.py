from pathlib import Path

import grpc

from local.cloud_tasks import errors


def test_each_refusal_has_the_services_own_code() -> None:
    codes = {
        errors.queue_missing(): grpc.StatusCode.NOT_FOUND,
        errors.entity_missing(): grpc.StatusCode.NOT_FOUND,
        errors.task_gone(): grpc.StatusCode.NOT_FOUND,
        errors.task_exists(): grpc.StatusCode.ALREADY_EXISTS,
        errors.task_existed(): grpc.StatusCode.ALREADY_EXISTS,
        errors.queue_exists(): grpc.StatusCode.ALREADY_EXISTS,
        errors.queue_existed(): grpc.StatusCode.FAILED_PRECONDITION,
        errors.bad_task_id("a b"): grpc.StatusCode.INVALID_ARGUMENT,
        errors.not_served("X"): grpc.StatusCode.UNIMPLEMENTED,
    }
    assert {refused: refused.code for refused in codes} == codes


def test_a_directory_in_use_and_a_port_in_use_are_named() -> None:
    assert "kept/here" in str(errors.DataInUse(Path("kept/here")))
    assert "127.0.0.1:80" in str(errors.AddressTaken("127.0.0.1:80"))
