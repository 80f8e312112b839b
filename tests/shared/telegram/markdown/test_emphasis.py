"""Emphasis beside every script, with signs and spaces inside."""

import pytest

from shared.telegram.markdown.render import convert
from tests.shared.telegram.markdown.samples import entity_texts


@pytest.mark.parametrize(
    ("markdown", "bold"),
    [
        ("**注意：**请先备份。", ["注意："]),
        ("请看**「重要」**的部分", ["「重要」"]),
        ("**「重要」**は**大事**です", ["「重要」", "大事"]),
        ("彼は「はい」**と言った**。", ["と言った"]),
        ("**제목:**은 여기", ["제목:"]),
        ("**이름(예시)**입니다", ["이름(예시)"]),
        ("**หมายเหตุ:**ข้อความ", ["หมายเหตุ:"]),
        ("**ملاحظة:**نص", ["ملاحظة:"]),
        ("**Увага!**Читайте", ["Увага!"]),
        ("слово**«цитата»**слово", ["«цитата»"]),
        ("**Note:**text", ["Note:"]),
        ("__제목:__은, __重要__です", ["제목:", "重要"]),
        ("これは__重要__です。请__注意：__这里", ["重要", "注意："]),
        ("ครับ__สำคัญ__ครับ", ["สำคัญ"]),
        ("- **一、**甲\n- **二、**乙", ["一、", "二、"]),
        ("> **問：**何？", ["問："]),
        ("# x\n1. **「一」**二", ["x", "「一」"]),
        ("**a:**😀 **b!**🎉", ["a:", "b!"]),
        ("** bold ** and ** two words ** here", ["bold", "two words"]),
        ("**重要 **的是", ["重要"]),
        ("**so **it is", ["so"]),
        ("word**中文**word", ["中文"]),
        ("**So `a` and *b*.** Then **`c`:** done", ["So ", " and b.", ":"]),
    ],
)
def test_what_is_meant_to_be_bold_is(markdown: str, bold: list[str]) -> None:
    shown = convert(markdown)
    assert [covered for kind, covered in entity_texts(shown) if kind == "bold"] == bold
    assert "*" not in shown.text
    assert "_" not in shown.text


@pytest.mark.parametrize(
    ("markdown", "entities"),
    [
        ("*「強調」*です", [("italic", "「強調」")]),
        ("_강조_입니다", [("italic", "강조")]),
        ("これは *重要*な、_大事_な", [("italic", "重要"), ("italic", "大事")]),
        ("~~「旧」~~です", [("strikethrough", "「旧」")]),
        ("실행은 **`run it`**를 쓴다", [("code", "run it")]),
        ("**[「名」](https://a.example/b)**です", [("bold", "「名」"), ("text_link", "「名」")]),
    ],
)
def test_other_marks_are_seen_there_too(markdown: str, entities: list[tuple[str, str]]) -> None:
    assert sorted(entity_texts(convert(markdown))) == sorted(entities)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a**b**c",
            "2**3**4",
            "x[1]**2 and y[2]**3",
            "2 ** 3 ** 4",
            "a ** b + c ** d",
            "f(**a, **b)",
            "2 * 3 * 4",
            "2*π*r",
            "这是__init__方法，变量__foo__是",
            'ls *.py | grep -v "*.txt" > out',
            'use "*.py" or "*.txt", (*.md) and (*.rst)',
            "src/**/*.js and lib/**/*.ts",
            "rm /tmp/*/log* /var/*/log*",
        ),
        *("变量_名称_是", "snake_case_word", "__init__ and __main__", "**open", "5 **", "a ** b", "** ,"),
    ],
)
def test_calculations_and_names_stay(text: str) -> None:
    assert convert(text).text == text
    assert convert(text).entities == ()
