"""Texts from right to left, and the parts inside them that keep their order."""

from playwright.async_api import Locator

from tests.local.page.acted_bot import ActedBot
from tests.local.page.visitor import Visitor

ARABIC = "لعرض الأوامر المتاحة: \u2066/help\u2069"
LEFTMOST = """(node, [first, last]) => {
  const text = document.createTreeWalker(node, NodeFilter.SHOW_TEXT).nextNode();
  const left = (letter) => {
    const range = document.createRange();
    range.setStart(text, text.data.indexOf(letter));
    range.setEnd(text, text.data.indexOf(letter) + 1);
    return range.getBoundingClientRect().left;
  };
  return left(first) < left(last) ? first : last;
}"""


async def leftmost(node: Locator, first: str, last: str) -> str:
    """Return which of two letters in an element's text is further left."""
    return str(await node.evaluate(LEFTMOST, [first, last]))


async def test_a_command_keeps_its_slash_and_a_button_its_mark(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.writes("hello")
    chat = (await bot.next("message"))["chat"]["id"]
    keys = [[{"text": "قهوة!", "callback_data": "1"}]]
    await bot.says(chat, ARABIC, reply_markup={"inline_keyboard": keys})
    said = visitor.message("لعرض")
    assert await leftmost(said.get_by_role("button", name="/help"), "/", "p") == "/"
    assert await leftmost(said.locator(".key"), "!", "ق") == "!"
    assert await said.locator(".bubble").evaluate("n => getComputedStyle(n).textAlign") == "right"
    assert await visitor.message("hello").locator(".bubble").evaluate("n => getComputedStyle(n).textAlign") != "right"
