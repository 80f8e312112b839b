import pytest

from shared.preview.first_message import first_in_json


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("", ""),
        ("{", ""),
        ('{"tasks": [{"kind": "sen', ""),
        ('{"tasks": [{"kind": "send", "te', ""),
        ('{"tasks": [{"kind": "send", "text": "', ""),
        ('{"tasks": [{"kind": "send", "text": "Hel', "Hel"),
        ('{"tasks": [{"kind": "send", "text": "Hello", "reply_', "Hello"),
        ('{"tasks": [{"kind": "send", "text": "say \\', "say "),
        ('{"tasks": [{"kind": "send", "text": "say \\"hi\\', 'say "hi'),
        ('{"tasks": [{"kind": "send", "text": "\\u00e', ""),
        ('{"tasks": [{"kind": "send", "text": "\\u00e9\\n', "é\n"),
        ('{"tasks": [{"kind": "send", "text": "a\\ud83d', "a"),
        ('{"tasks": [{"kind": "send", "text": "a\\ud83d\\ude4', "a"),
        ('{"tasks": [{"kind": "send", "text": "a\\ud83d\\ude42', "a🙂"),
        ('{"tasks": [{"kind": "think", "text": "secret', ""),
        ('{"tasks": [{"kind": "think", "text": "secret"}, {"kind": "send", "text": "a', "a"),
        ('{"tasks": [{"kind": "react", "emoji": "👍", "message_id": 5}, {"kind": "send", "text": "a', "a"),
        ('{"tasks": [{"kind": "wait", "seconds": 300}, {"kind": "send", "text": "a', ""),
        ('{"tasks": [{"kind": "send", "text": "a"}, {"kind": "send", "text": "b', "a"),
        ('{"tasks": [{"text": "a", "kind": "sen', ""),
        ('{"tasks": [{"text": "a", "kind": "send"', "a"),
        ('{"tasks": [{"text": "secret", "kind": "think"}, {"kind": "send", "text": "b', "b"),
        ('{"tasks": [{"kind": "send", "reply_to": 5, "depends_on": ["text"], "text": "a', "a"),
        ('{"plan": {"tasks": [{"action": "Send", "message": "a', "a"),
        ('[{"kind": "send", "text": "a', "a"),
        ('{"kind": "think", "text": "x"}\n,{"kind": "send", "text": "a', "a"),
        ("{'tasks': [{kind: 'send', /* } */ 'text': 'it\\'s', ", "it's"),
        ("{“kind”: “send”, “text”: “a", "a"),
        ('```json\n{"kind": "send", "text": "a', "a"),
        ('I think [] or it\'s "so": {"kind": "send", "text": "a', "a"),
        ('<think>{"kind": "send", "text": "no"', ""),
        ('<think>{"kind": "send", "text": "no"}</think>{"kind": "send", "text": "a', "a"),
        ('{} <think>{"kind": "send", "text": "no"}', ""),
        ('{"tasks": [{"kind": "send"], "text": "a', ""),
        ('{"tasks": [{"kind": "send" ; "text": "a', ""),
        ('{"tasks": [/ {"kind": "send", "text": "a', ""),
        ("[" * 1_000 + '{"kind": "send", "text": "a', ""),
        ("[]'" * 20_000, ""),
    ],
)
def test_of_a_beginning_the_first_message_is_read(reply: str, text: str) -> None:
    assert first_in_json(reply) == text
