"""Convert TeX formulas to plain Unicode text: `x^2` becomes x². What Unicode lacks stays readable: x^(a/b)."""

import re
import unicodedata
from collections.abc import Callable
from html.entities import html5
from typing import Final

from shared.telegram.markdown import signs

_COMMAND: Final = re.compile(r"\\([A-Za-z]+)\*?|\\(.)", re.DOTALL)
_END: Final = re.compile(r"\\(begin|end)\{([a-zA-Z]+\*?)\}")
#: the deepest nesting; a formula with deeper nesting stays as written
_DEEPEST: Final = 60
#: the maximum number of commands; a formula with more stays as written
_MOST: Final = 300
#: text after a fraction that multiplies the fraction or is its power, so that the fraction needs brackets
_GOES_ON: Final = re.compile(
    r"\s*(?:[^\W_]|[(\[]|\\(?:left|sum|prod|int|sqrt|[dt]?frac|ln|log|sin|cos|tan|vec|hat|math[a-z]+|pi|rho|mu|sigma"
    r"|omega|theta|alpha|beta|gamma|lambda|Delta)(?![a-z]))"
)


class UnsupportedTeX(Exception):
    """The formula cannot be written as text."""


def formula_text(tex: str) -> str:
    """Return a formula as text; "" if that is not possible."""
    try:
        text = _Reader(tex).rest() if tex.count("\\") <= _MOST else ""
    except UnsupportedTeX:
        return ""
    tight = re.sub(r"(?<=[(⟨⌊⌈]) +| +(?=[)⟩⌋⌉,;])", "", re.sub(r"[ \t]+", " ", text))
    return "\n".join(line.strip() for line in tight.split("\n") if line.strip())


class _Reader:
    """A reader of a formula. `at` is the position of the next character."""

    def __init__(self, tex: str, depth: int = 0) -> None:
        if depth > _DEEPEST:
            raise UnsupportedTeX("too deep")
        self.tex, self.at, self.depth = tex, 0, depth
        self.acts: dict[str, Callable[[], str]] = {
            "frac": self._fraction, "dfrac": self._fraction, "tfrac": self._fraction, "cfrac": self._fraction,
            "sqrt": self._root, "binom": lambda: f"C({self._argument()}, {self._argument()})",
            "begin": self._environment, "not": lambda: unicodedata.normalize("NFC", self._argument() + "\u0338"),
            "pmod": lambda: f" (mod {self._argument()})", "tag": lambda: f"  ({self._argument()})",
            "overset": self._above, "stackrel": self._above, "underset": self._below, "substack": self._argument,
            "xrightarrow": lambda: f" —{self._argument()}→ ", "ce": lambda: signs.chemistry(self._raw_argument()),
        }  # fmt: skip

    def rest(self) -> str:
        """Return the rest of the formula as text."""
        made: list[str] = []
        while self.at < len(self.tex):
            made.append(self._token(made[-1] if made else ""))
        return "".join(made)

    def _token(self, before: str) -> str:
        sign = self.tex[self.at]
        if sign == "\\":
            return self._command(before)
        if sign == "{":
            return self._argument()
        self.at += 1
        if sign in "^_":
            return self._script(sign)
        if sign == "}":
            raise UnsupportedTeX("a brace that nothing opens")
        if sign.isspace() and before.endswith("\n"):
            return ""
        return {"~": " ", "'": "′", "&": "", "\n": " ", "$": ""}.get(sign, sign)

    def _script(self, sign: str) -> str:
        shifted = self._argument()
        if sign == "_":
            return signs.subscript(shifted)
        return shifted if shifted and set(shifted) <= {"°", "′"} else signs.superscript(shifted)

    def _command(self, before: str) -> str:
        found = _COMMAND.match(self.tex, self.at)
        if found is None:
            raise UnsupportedTeX("a backslash at the end")
        self.at = found.end()
        name, sign = found[1], found[2]
        if sign is not None:
            return signs.SIGNS.get(sign, sign)
        if name in self.acts:
            mixed = " " if name.endswith("frac") and before[-1:].isdigit() else ""
            return mixed + self.acts[name]()
        if name in signs.PLAIN:
            return self._words() if name.startswith(("text", "mbox", "hbox", "operatorname")) else self._argument()
        if name in signs.STYLES:
            return "".join(signs.in_style(letter, signs.STYLES[name]) for letter in self._argument())
        if name in signs.ACCENTS:
            return signs.with_accent(self._argument(), signs.ACCENTS[name])
        return self._name(name, before)

    def _name(self, name: str, before: str) -> str:
        """Return the text for a command that is a symbol, a space or the name of a function."""
        if name in signs.HIDDEN:
            return self._argument()[:0]
        if name in signs.SPACES:
            return signs.SPACES[name]
        if name in signs.FUNCTIONS:
            begin = " " if before[-1:].isalnum() else ""
            end = " " if re.compile(r"[^\W_]|\\(?!left|big|Big)").match(self.tex, self.at) else ""
            return f"{begin}{'mod' if name == 'bmod' else name}{end}"
        if name in signs.LOOKS:
            self.at += self.tex[self.at : self.at + 1] == "." and name in ("left", "right")
            return ""
        symbol = signs.SYMBOLS.get(name) or html5.get(f"{name};")
        if symbol is None:
            raise UnsupportedTeX("a command that is not known")
        if (symbol.isalpha() or symbol in "∂∇∀∃∄") and (gap := re.compile(r" +(?=[^\W_])").match(self.tex, self.at)):
            self.at = gap.end()  # TeX drops the space after a letter: 2πr
        return symbol

    def _raw_argument(self) -> str:
        """Return the source of the next group without its braces, or of the next token."""
        while self.tex[self.at : self.at + 1].isspace():
            self.at += 1
        start = self.at
        if self.tex[start : start + 1] != "{":
            found = _COMMAND.match(self.tex, start)
            self.at = found.end() if found else min(start + 1, len(self.tex))
            if found and found[1] in self.acts | dict.fromkeys((*signs.PLAIN, *signs.STYLES, *signs.ACCENTS)):
                self._raw_argument()
            return self.tex[start : self.at]
        level = 0
        while self.at < len(self.tex):
            sign = self.tex[self.at]
            level += (sign == "{") - (sign == "}")
            self.at += 2 if sign == "\\" else 1
            if not level:
                return self.tex[start + 1 : self.at - 1]
        raise UnsupportedTeX("a brace that nothing closes")

    def _argument(self) -> str:
        """Return the next group or token, converted to text."""
        return _Reader(self._raw_argument(), self.depth + 1).rest()

    def _words(self) -> str:
        """Return the words inside `\\text{…}`, in which spaces are kept."""
        words = self._raw_argument()
        if re.search(r"\\[A-Za-z]|\$", words):
            return _Reader(words, self.depth + 1).rest()
        return re.sub(r"\\([&%$#_{} ])", r"\1", words)

    def _option(self) -> str:
        found = re.compile(r"(?:\s*\[([^\[\]]*)\])?").match(self.tex, self.at)
        self.at = found.end() if found else self.at
        return _Reader(found[1] or "", self.depth + 1).rest().strip() if found else ""

    def _fraction(self) -> str:
        above, below = self._argument().strip(), self._argument().strip()
        if half := signs.HALVES.get(f"{above}/{below}"):
            return half
        fraction = f"{signs.in_brackets(above)}/{signs.in_brackets(below)}"
        return f"({fraction})" if _GOES_ON.match(self.tex, self.at) else fraction

    def _above(self) -> str:
        above = signs.superscript(self._argument())
        return self._argument() + above

    def _below(self) -> str:
        below = signs.subscript(self._argument())
        return self._argument() + below

    def _root(self) -> str:
        index, inside = self._option(), self._argument().strip()
        sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(index) or f"{signs.superscript(index)}√"
        return f"{sign}{inside if re.fullmatch(r'[0-9.]+|.', inside) else f'({inside})'}"

    def _environment(self) -> str:
        name = self._raw_argument().strip().rstrip("*")
        content = self._content()
        if name not in signs.ROWS:  # an environment of lines, such as align
            return _Reader(content, self.depth + 1).rest()
        if name in ("array", "tabular"):
            content = re.sub(r"^\s*\{[^{}]*\}", "", content)
        rows = [[_Reader(cell, self.depth + 1).rest().strip() for cell in row] for row in signs.cells(content)]
        if name.endswith("cases"):
            return "{ " + "; ".join(", ".join(cell.rstrip(",") for cell in row if cell) for row in rows)
        first, last = signs.FENCES.get(name, ("", ""))
        return f"{first}{'; '.join(' '.join(row) for row in rows)}{last}"

    def _content(self) -> str:
        """Return the source inside the open environment, up to its `\\end`."""
        start, level = self.at, 1
        for found in _END.finditer(self.tex, self.at):
            level += 1 if found[1] == "begin" else -1
            if not level:
                self.at = found.end()
                return self.tex[start : found.start()]
        raise UnsupportedTeX("an environment without an end")
