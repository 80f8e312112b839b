"""The page on privacy, as a browser receives it."""

from html.parser import HTMLParser

from shared.privacy.jobs.privacy import PAGE, PAGE_PATH, privacy_page


class Text(HTMLParser):
    """Collects the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words += data.split()


def test_it_says_every_word_of_the_document_and_holds_nothing_else() -> None:
    read = Text(privacy_page())
    assert read.words == ["Privacy", *PAGE.read_text().split()]
    assert set(read.tags) == {"html", "head", "meta", "title", "body"}


def test_its_path_is_no_agents() -> None:
    assert "." in PAGE_PATH, "an agent's name is small letters, digits, hyphens and underscores"


def test_a_paragraph_and_an_item_are_as_wide_as_the_screen() -> None:
    lines = privacy_page().splitlines()
    assert not any(line.startswith("  ") for line in lines), "an item goes on behind its first line"
    assert len([line for line in lines if line.startswith("- ")]) > 10
