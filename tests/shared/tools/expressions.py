"""Expressions of every kind: valid and invalid arithmetic, and attempts to break out or to run for ever."""

from hypothesis import strategies as st

from shared.tools.calculate import CONSTANTS, FUNCTIONS

HOSTILE = (
    *("9**9**9**9", "9**(9**9)", "10**(10**10)", "2**-(2**40)", "1e999999999", "1e-999999999", "0**(10**900)"),
    *("factorial(10**9)", "factorial(factorial(20))", "comb(10**9, 5*10**8)", "comb(10**900, 3)", "round(1, 10**9)"),
    *("lcm(" + ",".join(str(n) for n in range(100, 330)) + ")", "e**e**e**e", "exp(10**300)", "log(2, 1 + 1e-300)"),
    *("(" * 400 + "1" + ")" * 400, "-" * 900 + "1", "sqrt(" * 150 + "2" + ")" * 150, "+".join("1" * 400), "9" * 999),
    *("__import__('os').system('true')", "().__class__.__base__", "open", "lambda: 0", "[0]*10**9", "'a'*10**9"),
    *("(x:=9)", "1 if 1 else 2", "1 and 2", "1 < 2", "{1}", "f'{1}'", "yield", "await e", "pi.real", "True", "1j"),
    *("...", "None", "exit()", "sqrt(*[4])", "sqrt(x=4)", "sqrt()", "sqrt", "pi()", "", "()", "1,", ",", "0x1p3"),
    *("2,340", "17% of 2340", "5!", "\x00", "1\n+1", "#", "\\", "\ud800"),
    *("٣+٤", "²", "𝟏+1", "1_", "01", "1__0", "0in 1"),
)  # fmt: skip
PIECES = (
    *FUNCTIONS, *CONSTANTS, "+", "-", "*", "/", "//", "%", "**", "^", "(", ")", ",", " ", ".", "_", "e",
    "0", "1", "2", "7", "10", "0.5", "1e300", "1e-300", "9999999999", "0x", "1_000", "x", "not", "or",
)  # fmt: skip

_NUMBERS = st.integers(0, 10**6).map(str) | st.sampled_from(["0.1", "1e300", "2.5", "1e-9", "pi", "e", "0", "1"])
#: expressions that a parser accepts
_WELL_FORMED = st.recursive(
    _NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**"]), inner).map(
            lambda t: f"({''.join(t)})"
        ),
        st.tuples(st.sampled_from([*FUNCTIONS]), st.lists(inner, max_size=3)).map(
            lambda t: f"{t[0]}({','.join(t[1])})"
        ),
        inner.map("-{}".format),
    ),
    max_leaves=12,
)
EXPRESSIONS = st.one_of(
    st.sampled_from(HOSTILE),
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    _WELL_FORMED,
    st.text(max_size=40),
)
