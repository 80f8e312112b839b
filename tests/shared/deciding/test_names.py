"""Names in texts: as words, in any script, and never as parts of other words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.deciding.names import fold, forms_of, names_one
from tests.shared.examples import PROPERTY

LATIN = st.sampled_from("abcdefghijklmnopqrstuvwxyzäéñøß")


@pytest.mark.parametrize(
    "text",
    [
        "lull", "Lull?", "LULL!", "hey lull", "(lull)", "lull's right", "lull’s right", "„lull“", "lull:what",
        "- lull -", "lull, you there", "ask lull.", "ｌｕｌｌ", "lu\u00adll", "\u200flull\u200f שלום", "🤖lull🤖",
        "lull😀", "¿lull?", "lullaby for lull", "ねえlullこれ", "lull은 어때", "问lull吧", "lullครับ", "lull，你好",
        "lull-ს უთხარი", "lull\u2010ს უთხარი", "d'lull", "lull\nwhat now", "@bob lull", "1) lull", "lull: 8 or 9?",
        "lull：元気？", "lull:你好", "lull/Ann, come here", "Ann/lull?", "hey lull/lull?", "lull/", "is it a/b lull?",
        "lull...what", "lull – hi", "x = lull", "lull/Ann...what",
    ],
)  # fmt: skip
def test_a_name_is_found_as_a_word(text: str) -> None:
    assert names_one(fold(text), ("lull",))


@pytest.mark.parametrize(
    "text",
    [
        "", "lullaby", "lulls", "xlull", "lull2", "2lull", "lull_x", "_lull", "lull-bot", "anti-lull", "lull.py",
        "www.lull", "lull@example.org", "@lull", "@lull_bot", "lullбот", "lullé", "lulle\u0301", "l u l l", "null",
        "lull\u2010like", "x\u2011lull", "pre\u2010lull", "/home/lull/x", "~/lull", "./lull", "cd /lull", "src/lull/x",
        "lull/x/y", "lull/config.py", "x.org/lull", "C:\\lull", "a\\lull\\b", "lull=3", "x=lull", "lull:8080",
    ],
)  # fmt: skip
def test_a_name_within_another_word_is_none(text: str) -> None:
    assert not names_one(fold(text), ("lull",))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Лалл", "лалл, привіт", True),
        ("Лалл", "Лалла, привіт", False),
        ("Зоя", "спитай у Зої", False),
        ("Σωκράτης", "ΣΩΚΡΆΤΗΣ;", True),
        ("Weiß", "WEISS, hallo", True),
        ("Zoë", "zoe\u0308 are you there", True),
        ("لول", "يا لول، كيف حالك؟", True),
        ("لول", "لولو، كيف حالك؟", False),
        ("لول", "لول\u200cجان", True),
        ("לול", "מה דעתך, לול?", True),
        ("לול", "לולאה", False),
        ("לול", "לוּל, שלום", True),
        ("לָאל", "לאל, שלום", True),
        ("לול", "לול־בוט", False),
        ("لول", "لُول، كيف حالك؟", True),
        ("لول", "يا لـول", True),
        ("لول", "لُولُو، كيف حالك؟", False),
        ("लल", "लल, नमस्ते", True),
        ("लल", "लला, नमस्ते", False),
        ("ルル", "ルルさん、どう？", True),
        ("ルル", "ねえルル", True),
        ("ルル", "ルルはどう思う", True),
        ("ルル", "ルルベルが好き", False),
        ("ルル", "ルルー", False),
        ("花子", "花子は？", True),
        ("花子", "あのさ花子来てる？", True),
        ("花子", "山田花子は？", False),
        ("るる", "るるはどう？", True),
        ("るる", "ねえるる", True),
        ("るる", "るるぶを読む", False),
        ("小龙", "小龙你好", True),
        ("小龙", "你好小龙", True),
        ("小龙", "我问小龙他说不知道", True),
        ("小龙", "小龙虾很好吃", False),
        ("小龙", "大小龙", False),
        ("小明", "小明星来了", False),
        ("มะลิ", "มะลิช่วยหน่อย", True),
        ("มะลิ", "ขอบคุณมะลิ", True),
        ("มะลิ", "คุณมะลิครับ", True),
        ("มะลิ", "มะลิวัลย์สวยมาก", False),
        ("น้ำ", "น้ำครับ", True),
        ("룰루", "룰루야 안녕", True),
        ("룰루", "룰루님께 물어봐", True),
        ("룰루", "룰루랄라", False),
        ("ລູລູ", "ລູລູຊ່ວຍແດ່", True),
        ("ລູລູ", "ຂອງລູລູ", False),
        ("Aunt May", "so, aunt  MAY?", True),
        ("Aunt May", "Aunt Maya", False),
        ("🤖", "🤖 help", True),
        ("C++", "ask C++!", True),
        ("", "anything", False),
        ("\u200b", "any\u200bthing", False),
    ],
)
def test_names_of_any_script(name: str, text: str, expected: bool) -> None:
    assert names_one(fold(text), (name,)) is expected


@PROPERTY
@given(st.text(max_size=20), st.text(max_size=20), st.text(min_size=1, max_size=12))
def test_between_spaces_any_name_is_found(before: str, after: str, name: str) -> None:
    if fold(name):
        assert names_one(fold(f"{before} {name} {after}"), (name,))


@PROPERTY
@given(st.text(LATIN, min_size=2, max_size=8), st.text(LATIN, min_size=1, max_size=4), st.booleans())
def test_a_longer_name_is_another_name(name: str, more: str, is_before: bool) -> None:
    longer = fold(more + name if is_before else name + more)
    assert not names_one(longer, (name,))


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("лалл", "лалла лаллу лалли лаллі лалле лаллові лаллом"),
        ("марта", "марти марті марту марто марте мартою мартой"),
        ("соня", "соні сони соню сонею соней соне"),
        ("оділь", "оділі оділе оділлю"),
        ("игорь", "игоря игорю игорем"),
        ("андрій", "андрія андрію андрієм андрієві"),
        ("lull", "lullowi lullem lullu lullille lullу lullом"),
        ("paula", "paulę paulą"),
    ],
)
def test_languages_that_decline_names_have_more_forms(name: str, forms: str) -> None:
    assert {name, *forms.split()} <= set(forms_of(name))


@pytest.mark.parametrize("name", ["bob", "max", "odile", "ルル", "小龙", "lull_bot", "aunt may", "لول", "ліа", ""])
def test_other_names_stay_as_they_are(name: str) -> None:
    assert forms_of(name) == (name,)


@pytest.mark.parametrize("other", ["paula", "paule", "pauline", "pauls"])
def test_no_form_is_another_name(other: str) -> None:
    assert other not in forms_of("paul")
