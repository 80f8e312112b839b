"""The main text of an HTML page."""

from shared.extracting.webpage import read_webpage

PAGE = """<html><head><title>Coffee - The Bean</title></head><body>
<nav><a href="/">Home</a> <a href="/news">News</a></nav>
<article><h1>Coffee</h1><p>It is brewed from <a href="/beans">roasted beans</a>, and drunk hot or cold.</p>
<ul><li>Espresso is short and strong.</li><li>Filter coffee takes its time.</li></ul></article>
<footer>All rights reserved by the bean.</footer></body></html>"""


def test_the_main_text_keeps_its_links_and_lists_and_loses_what_is_around_it() -> None:
    title, text = read_webpage(PAGE.encode(), "text/html", "https://example.org/drinks/coffee")
    assert "Coffee" in title
    assert "[roasted beans](https://example.org/beans)" in text
    assert "- Espresso is short and strong." in text
    assert "All rights reserved" not in text
