"""Unicode text for TeX's commands, and letters as superscripts, as subscripts and with accents."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

#: the symbols of commands that HTML's entities lack, or that HTML uses for another symbol
SYMBOLS: Final = dict(
    re.findall(
        r"(\w+)=(\S+)",
        "neq=≠ infty=∞ cdot=· partial=∂ to=→ gets=← iff=⟺ implies=⟹ impliedby=⟸ land=∧ lor=∨ lnot=¬ neg=¬ exists=∃ "
        "ldots=… dots=… dotsc=… dotsb=⋯ cdots=⋯ vdots=⋮ ddots=⋱ ast=∗ star=⋆ circ=∘ iint=∬ mid=| degree=° hbar=ħ "
        "lvert=| rvert=| lVert=‖ rVert=‖ backslash=\\ models=⊨ varepsilon=ε varphi=φ blacksquare=■ "
        "qed=∎ pounds=£ textdegree=° "
        "celsius=℃ triangle=△ coloneqq=≔",
    )
)
#: commands that only change how a formula looks
LOOKS: Final = frozenset(
    re.findall(
        r"\w+",
        "bigl bigr Bigl Bigr big Big bigg Bigg biggl biggr displaystyle textstyle scriptstyle limits nolimits nonumber "
        "notag middle left right hline centering",
    )
)
#: commands that are invisible together with their argument
HIDDEN: Final = frozenset({"color", "textcolor", "label", "hspace", "vspace", "phantom", "hphantom", "vphantom"})
SIGNS: Final = {",": " ", ";": " ", ":": " ", ">": " ", " ": " ", "!": "", "|": "‖", "\\": "\n", "-": "", "/": ""}
SPACES: Final = {"quad": "  ", "qquad": "   ", "space": " ", "enspace": " ", "thinspace": " ", "newline": "\n"}
#: the names of functions, which stay words, with a space before the argument
FUNCTIONS: Final = frozenset(
    re.findall(
        r"\w+",
        "Pr arccos arcsin arctan arg argmax argmin bmod cos cosh cot csc deg det dim exp gcd hom inf ker lcm lg lim "
        "liminf limsup ln log max min mod rank sec sgn sign sin sinh span sup tan tanh tr",
    )
)
#: commands whose argument is written without a change of style
PLAIN: Final = frozenset(
    re.findall(
        r"\w+",
        "text textrm textbf textit textup textsf texttt textnormal mbox hbox operatorname mathrm mathit mathsf mathtt "
        "mathop mathbin mathrel mathord boxed fbox boldsymbol bm overbrace underbrace smash ensuremath emph",
    )
)
STYLES: Final = {
    "mathbb": "DOUBLE-STRUCK", "mathbf": "BOLD", "mathcal": "SCRIPT", "mathscr": "SCRIPT", "mathfrak": "FRAKTUR",
}  # fmt: skip
ACCENTS: Final = {
    "hat": "\u0302", "widehat": "\u0302", "bar": "\u0304", "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308",
    "tilde": "\u0303", "widetilde": "\u0303", "check": "\u030c", "breve": "\u0306", "acute": "\u0301",
    "overline": "\u0305", "underline": "\u0332", "mathring": "\u030a", "overrightarrow": "\u20d7",
    **dict.fromkeys(("cancel", "bcancel", "xcancel"), "\u0336"),
}  # fmt: skip
FENCES: Final = {
    "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "Bmatrix": ("{", "}"), "vmatrix": ("|", "|"), "Vmatrix": ("‖", "‖"),
    "array": ("[", "]"),
}  # fmt: skip
ROWS: Final = frozenset({*FENCES, "matrix", "smallmatrix", "cases", "dcases", "rcases", "tabular"})
RAISED: Final = dict(
    zip(
        "0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδεθιφχ′∘*",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᵋᶿᶥᵠᵡ′°*",
        strict=True,
    )
)
LOWERED: Final = dict(
    zip("0123456789+-=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True)
)
HALVES: Final = {unicodedata.normalize("NFKC", sign).replace("\u2044", "/"): sign for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒"}


def superscript(text: str) -> str:
    """Return a text as a superscript; `^(text)` if Unicode lacks a letter of it."""
    return _shift(text, RAISED, "^")


def subscript(text: str) -> str:
    """Return a text as a subscript; `_(text)` if Unicode lacks a letter of it."""
    return _shift(text, LOWERED, "_")


def _shift(text: str, letters: Mapping[str, str], mark: str) -> str:
    text = text.strip()
    tight = text.replace(" ", "") if not any(len(word) > 1 and word.isalpha() for word in text.split()) else text
    if all(letter in letters for letter in tight):
        return "".join(letters[letter] for letter in tight)
    return f"{mark}{text}" if len(text) == 1 or (mark == "_" and text.isalnum()) else f"{mark}({tight})"


def with_accent(text: str, accent: str) -> str:
    """Return a text with an accent on its first letter. A line or an arrow is put on all letters."""
    if not text:
        return ""
    marks = text if accent in ("\u0305", "\u0332", "\u0336", "\u20d7") else text[:1]
    return unicodedata.normalize("NFC", "".join(letter + accent for letter in marks)) + text[len(marks) :]


def in_style(letter: str, style: str) -> str:
    """Return a letter in a mathematical style such as BOLD; unchanged if Unicode lacks the styled letter."""
    name = unicodedata.name(letter, "").replace("LATIN ", "").replace("LETTER ", "").replace("GREEK ", "")
    for prefix in ("", "MATHEMATICAL "):
        try:
            return unicodedata.lookup(f"{prefix}{style} {name}")
        except KeyError:
            continue
    return letter


def chemistry(formula: str) -> str:
    """Return a chemical formula as text: H2O becomes H₂O."""
    formula = formula.replace("<=>", "⇌").replace("->", "→")
    formula = re.sub(r"\^\{?(\d*[+-])\}?", lambda found: superscript(found[1]), formula)
    return re.sub(r"(?<=[A-Za-z)\]])(\d+)", lambda found: subscript(found[1]), formula)


def cells(content: str) -> list[list[str]]:
    """Return the cells of an environment, by rows. `&` and line ends in inner environments do not separate cells."""
    rows: list[list[str]] = [[""]]
    level = 0
    content = re.sub(r"\\\\\s*\[-?[\d.]+\s*[a-z]{2}\]", r"\\\\", content)  # extra space between rows
    for part in re.split(r"(\\begin\{|\\end\{|\\\\|(?<!\\)&)", content):
        level += (part == "\\begin{") - (part == "\\end{")
        if part == "\\\\" and not level:
            rows.append([""])
        elif part == "&" and not level:
            rows[-1].append("")
        else:
            rows[-1][-1] += part
    return [row for row in rows if any(cell.strip() for cell in row)]


def in_brackets(text: str) -> str:
    """Return the upper or lower part of a fraction, in brackets if it needs brackets."""
    return text if re.fullmatch(r"[\w.′°√∂∇\u0300-\u036f\u20d7]+|\([^()]*\)|\w+\([^()]*\)", text) else f"({text})"
