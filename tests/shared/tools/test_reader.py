"""The tick's requests to the reader: each error becomes a sentence for the model."""

import pytest

from shared.tools.reader import DOWN, NO_READER, HttpReader
from tests.local.cloud_tasks.task_handler import Answer, task_handler

URL = "https://a.example/"


async def test_the_reader_is_told_the_address_and_what_it_is_read_for() -> None:
    async with task_handler() as function:
        page = await HttpReader(function.url).read(URL, is_automatic=True)
    (received,) = function.received
    assert received.body == b'{"url":"https://a.example/","is_automatic":true}'
    assert "authorization" not in received.headers
    assert page.problem == DOWN, "an empty answer is no page"


@pytest.mark.parametrize("status", [400, 403, 500, 503])
async def test_a_reader_that_fails_is_a_sentence(status: int) -> None:
    async with task_handler() as function:
        function.script = [Answer(status)]
        page = await HttpReader(function.url).read(URL, is_automatic=False)
    assert (page.asked, page.text, page.problem) == (URL, "", DOWN)


async def test_no_reader_and_one_that_is_down_are_sentences() -> None:
    assert (await HttpReader("").read(URL, is_automatic=False)).problem == NO_READER
    assert (await HttpReader("http://127.0.0.1:1").read(URL, is_automatic=False)).problem == DOWN
