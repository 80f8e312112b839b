"""Posts of a forum."""

import pytest

from shared.reader.extract.page_type import PageType
from shared.reader.extract.webpage import posts_in, prune
from tests.shared.reader.extract.pages import PROSE, tree


@pytest.mark.parametrize(
    "post",
    [
        "<div class='postbody'><p class='author'>by Ann</p><div class='content'>{}</div></div>",
        "<div><b>Ann</b><div id='post_message_{n}'>{}</div></div>",
        "<article><b>Ann</b><article class='message-body js-selectToQuote'>{}</article></article>",
        "<div><b>Ann</b><div class='cooked'>{}</div></div>",
        "<div class='answer'><div class='s-prose js-post-body'>{}</div><b>Ann</b></div>",
        "<tr><td>Ann</td><td><span class='commtext c00'>{}</span></td></tr>",
    ],
)
def test_the_posts_of_a_thread_in_their_order(post: str) -> None:
    thread = "".join(post.replace("{n}", str(n)).format(f"{n}: {PROSE}") for n in range(3))
    part, sizes = prune(tree(f"<table>{thread}</table>" if "<tr>" in post else thread), PageType.FORUM)
    assert [found.text_content() for found in posts_in(part, sizes)] == [f"{n}: {PROSE}" for n in range(3)]


def test_a_list_of_threads_has_no_posts() -> None:
    threads = "".join(f"<li><a href='/{n}'>How is coffee number {n} brewed?</a> by Ann</li>" for n in range(20))
    part, sizes = prune(tree(f"<ul>{threads}</ul><div class='cooked'>New here?</div>"), PageType.FORUM)
    assert posts_in(part, sizes) == []
