import pytest
from telegram import LinkPreviewOptions

from local.telegram.detection import find_entities
from local.telegram.entities import LocalEntity
from local.telegram.link_previews import first_link, previewed_address
from local.telegram.messages import LinkPreview, LocalMessage
from tests.local.telegram.scene import Json, Scene

LINK = LocalEntity(type="text_link", offset=0, length=3, url="https://c.example/3")
TEXT = "see https://a.example/1 and https://b.example/2"


def said(text: str | None, preview: LinkPreview | None = None) -> LocalMessage:
    return LocalMessage(
        chat="p1-7", id=1, sender=7, date=1, text=text, entities=find_entities(text or ""), preview=preview
    )


@pytest.mark.parametrize(
    ("text", "link"),
    [
        (TEXT, "https://a.example/1"),
        ("no link, ann@x.example, example.com, tg://resolve?domain=x", ""),
        ("go to example.com/a.", "example.com/a"),
        ("😀 https://a.example", "https://a.example"),
    ],
)
def test_the_first_address_that_is_more_than_a_name_is_previewed(text: str, link: str) -> None:
    assert first_link(text, find_entities(text)) == link


def test_a_words_own_link_counts_too() -> None:
    assert first_link("see https://a.example/1", (LINK, *find_entities("see https://a.example/1"))) == LINK.url


def test_what_is_previewed_is_a_page_of_the_web() -> None:
    assert previewed_address(said(TEXT)) == "https://a.example/1"
    assert previewed_address(said("example.com/a")) == "http://example.com/a"
    assert previewed_address(said(TEXT, LinkPreview(url="https://b.example/2"))) == "https://b.example/2"
    assert previewed_address(said("x", LinkPreview(url="b.example"))) == "http://b.example"
    assert previewed_address(said(TEXT, LinkPreview(is_disabled=True))) is None
    assert previewed_address(said("x", LinkPreview(url="javascript:alert(1)"))) is None
    assert previewed_address(said(None)) is None


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({"is_disabled": True}, {"is_disabled": True}),
        (
            {"url": "https://b.example/2", "show_above_text": True},
            {"url": "https://b.example/2", "show_above_text": True},
        ),
        ({"is_disabled": False}, None),
        (None, None),
    ],
)
async def test_options_are_kept_with_the_message_and_given_back(
    sandbox: Scene, options: Json | None, kept: Json | None
) -> None:
    sent = await sandbox.call("sendMessage", chat_id=sandbox.ann, text=TEXT, link_preview_options=options)
    assert sent.get("link_preview_options") == kept


async def test_an_edit_has_options_of_its_own_and_buttons_leave_them(sandbox: Scene) -> None:
    sent = await sandbox.bot.send_message(sandbox.ann, TEXT, disable_web_page_preview=True)
    assert sent.link_preview_options == LinkPreviewOptions(is_disabled=True)
    where: Json = {"chat_id": sandbox.ann, "message_id": sent.message_id}
    key = {"inline_keyboard": [[{"text": "b", "callback_data": "b"}]]}
    edited = await sandbox.call("editMessageReplyMarkup", **where, reply_markup=key)
    assert edited["link_preview_options"] == {"is_disabled": True}
    edited = await sandbox.call("editMessageText", **where, text=TEXT)
    assert "link_preview_options" not in edited
    shown = (await sandbox.act("GET", f"/world/chats/{sandbox.private}/messages"))["messages"]
    assert shown[-1]["link_preview"] == "https://a.example/1"


async def test_options_of_the_old_form_count_and_a_text_without_a_link_has_none(sandbox: Scene) -> None:
    old = await sandbox.call("sendMessage", chat_id=sandbox.ann, text=TEXT, disable_web_page_preview="true")
    assert old["link_preview_options"] == {"is_disabled": True}
    options = {"is_disabled": True}
    assert "link_preview_options" not in await sandbox.call(
        "sendMessage", chat_id=sandbox.ann, text="no link", link_preview_options=options
    )
    code, why = await sandbox.error("sendMessage", chat_id=sandbox.ann, text=TEXT, link_preview_options={"url": 5})
    assert (code, why) == (400, 'Bad Request: field "url" must be of type String')
