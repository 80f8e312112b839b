"""Grammatical forms of names: declensions, and endings or prefixes that languages attach to a name.

The forms are made by rules for endings, without a dictionary. Some of these forms exist in no language, which does no
harm. A form that only some languages have is marked with the group of these languages: in an English text, "Roberta" is
not a form of "Robert".
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from shared.privacy.deletion.common_words import OF_WOMEN

#: group of forms → the languages (ISO 639-1) whose texts may contain them
GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "slavic": frozenset({"pl", "cs"}),
    "finnic": frozenset({"fi"}),
    "hungarian": frozenset({"hu"}),
    "turkish": frozenset({"tr"}),
    "romanian": frozenset({"ro"}),
    "baltic": frozenset(),
    "genitive": frozenset({"de", "nl", "sv", "da", "no"}),
}
#: Names with fewer letters are not declined, since too many words begin with the same letters. Exception: Cyrillic
#: names of two letters that end in a consonant, such as Ян.
LEAST_STEM: Final = 3

#: Ending of a name → endings in other cases. Every line whose ending matches adds forms.
_CYRILLIC: Final = """
а: а у и ы і е о ою ой ом ам ами ах ин ина ину ином ині ине иної иною иного иным ка ку ки ко кою кой ці ке
г: же
га: зі ге жин жина жину жине
ка: ці ке чин чина чину чине
ха: сі хе шин шина шину шине
я: я ю і ї и е є ею єю ей ёй єї їн їна їну їне ин ина
ья: ьи ье ью ьей ьин
о: а у ові ом е і ем ю
енко: енки енків енкам енками енках
ь: я ю ем єм ём е еві єві і и ью
овь: ви вью ові
й: я ю єм ем єві еві ї и е є
ей: я ю єм єві ья ью ьем ье
ий: ого ему ому им ім ом ем его а ої ой у ую і ії е ие ый ая ым их ими ые ых
ій: ього ьому ім ь ого ому
ый: ого ому ым ом ая ой ую ые ых ыми
ой: ого ому ым им ом ая ую ые ие ых их
ец: ца цу цом цем це цы
яц: йца йцу йцем йце
ень: ня ню нем неві ні
ець: ця цю цем цеві ці че
єць: йця йцю йцем йцеві йці
ок: ка ку ком ке кові ки
ек: ка ку ком ке кові ки
ел: ла лу лом ле лові
лев: льва льву львом льве льві
ська: ської ській ську ською
цька: цької цькій цьку цькою
ская: ской скую ские ских
цкая: цкой цкую
ова: ової овій ову овою овой овы
ева: евой еву
єва: євої євій єву євою
ина: иной ину іної
ая: ой ую ою ые ых
"""
_OPEN_ENDS: Final = ("а", "у", "ом", "ові", "і", "е", "им")
#: endings of a name such as Лебідь, whose vowel changes too: Лебедя
_SOFT_ENDS: Final = ("я", "ю", "ем", "єм", "еві", "єві", "і")
_CYRILLIC_CONSONANT: Final = (
    "а у ом ем ым ыми им і е и ы ові еві ів ові ам ами ах ой ою ої ых их я ю ём єм "
    "ға ге қа ке ның нің дың дің тың тің нан нен дан ден тан тен мен бен пен"
)
#: Russian and Ukrainian surnames that are adjectives, as in береговая охрана; not Ковальская
ADJECTIVE: Final = re.compile(r".{4,}(?<![сц]к)(?:ая|ой|ый)|.{2,}[^аеиіоуяюєїн]ь?на")
_LATIN_SLAVIC: Final = """
a: y i ie ę ą o u ě ou e ę ii ji om
ia: i ii ię ią io iu ie
ja: i ji ję ją jo ju
ka: ce ki kę ką ko ku ce kou ky
ga: dze gi gę gą go gu ze
ta: cie tě
da: dzie dě
ra: rze ře
ła: le
cha: sze še
na: ně
ska: skiej ską ské skou
cka: ckiej cką
ová: ové ovou
á: é ou
o: a u owi ovi em om ie
k: ka kowi kiem ku kem kovi kom
ek: ka kowi kiem ku kem kovi ku
ec: ca cowi cem cu covi
el: la lowi lem lu lovi le
eł: ła łowi łem le
t: cie
d: dzie
r: rze ře
ł: le
ski: skiego skiemu skim ska skiej ską scy skich
cki: ckiego ckiemu ckim cka ckiej cką ccy ckich
ský: ského skému ským ská ské skou
ý: ého ému ým ém á é ou
í: ího ímu ím
y: ego emu ym iego iemu
i: ego emu im ho mu m ego emu
e: ego emu em go mu
us: a owi em ovi
"""
_LATIN_SLAVIC_CONSONANT: Final = "a u owi ovi em om ie e ě iem ův ova ovo ovi ové ovou y i ów"
_GREEK: Final = """
οσ: ο ου ε οι ουσ
ησ: η
ασ: α
ισ: ι
α: ασ εσ
η: ησ
ω: ωσ
"""
_BALTIC: Final = """
as: o ui ą u e ai
is: io iui į iu i į im
ys: io iui į iu y
us: aus ui ų umi
a: os ai ą oje as u ā
ė: ės ei ę e
s: a am u ā
e: es ei i ē
"""
_FINNIC: Final = (
    "n a ä ta tä lle lla llä lta ltä ssa ssä sta stä ksi na nä tta kin han hän le lt l st sse ga ni t "
    "an en in on un ön yn än ia iä aan een iin oon uun"
)
_HUNGARIAN: Final = (
    "t ot et at öt nak nek val vel hoz hez höz tól től ról ről ra re ban ben ba be nál nél ból ből ért é éval ék "
    "éknak ig ként ja je nyal"
)
_TURKISH: Final = (
    "nın nin nun nün ın in un ün ya ye a e yı yi yu yü ı i u ü da de ta te dan den tan ten la le yla yle lar ler "
    "nda nde dır dir ya"
)
_KOREAN: Final = (
    "이 가 은 는 을 를 에게 한테 께 께서 와 과 랑 이랑 의 도 만 야 아 씨 님 에게서 한테서 보다 처럼 이가 "
    "이는 이를 이의 이도 이한테 이에게 이와 이야 씨가 씨는 씨를 씨의 씨도 씨에게 씨한테 씨와 님이 님은 "
    "님을 님의 님께 이라고 라고 까지 부터 이네 네 "
)
#: script → suffixes that are attached to a name
_BEHIND: Final = {
    "georgian": "ს მ მა ის ით ად თან თვის ზე ში სთან სთვის სგან სა ც მაც სი ო ი ისთვის ისგან",
    "armenian": "ը ն ի ին ից ով ում ս դ յի յին յից յով ա այի ենք",
    "ethiopic": "ን ም ና",
    "bengali": "র কে তে ের এর য়ের রা দের টা",
    "devanagari": "ला ने चा ची चे च्या शी हून ले लाई को सँग",
    "gujarati": "ને નો ની નું ના એ થી માં",
    "tamil": "க்கு யை யின் யுடன் யிடம் யால் வுக்கு வை வின் வுடன் வால் னை னின் ன்",
    "telugu": "కి కు ని ను తో లో గారు గారి",
    "kannada": "ಗೆ ನಿಗೆ ನನ್ನು ನ ಯ ಯನ್ನು ಳಿಗೆ ಳನ್ನು ಅನ್ನು",
    "malayalam": "ന് ക്ക് യുടെ ന്റെ യെ നെ യോട് നോട് യും നും",
}
#: Tamil and similar scripts: a vowel sign takes the place of the sign for "no vowel".
_PULLI: Final = {"்": "ை ின் ுடன் ிடம் ுக்கு ால் ும்", "్": "‌కి ‌ను", "്": "ിന് ിനെ ിന്റെ"}
#: script → prefixes that are attached to a name
_BEFORE: Final = {
    "arabic": "و ف ب ل ك ول فل وب فب وك لل ال وال بال",
    "hebrew": "ו ה ב ל מ ש כ וה וב ול ומ וש וכ שה של כש מה לה שב ושל",
    "ethiopic": "ለ በ ከ የ እነ",
}

_SCRIPTS: Final = {
    "cyrillic": re.compile("[\u0400-\u052f]"),
    "greek": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "armenian": re.compile("[\u0530-\u058f]"),
    "hebrew": re.compile("[\u0590-\u05ff]"),
    "arabic": re.compile("[\u0600-\u06ff\u0750-\u077f]"),
    "devanagari": re.compile("[\u0900-\u097f]"),
    "bengali": re.compile("[\u0980-\u09ff]"),
    "gujarati": re.compile("[\u0a80-\u0aff]"),
    "tamil": re.compile("[\u0b80-\u0bff]"),
    "telugu": re.compile("[\u0c00-\u0c7f]"),
    "kannada": re.compile("[\u0c80-\u0cff]"),
    "malayalam": re.compile("[\u0d00-\u0d7f]"),
    "georgian": re.compile("[\u10a0-\u10ff\u1c90-\u1cbf]"),
    "hangul": re.compile("[\uac00-\ud7a3]"),
    "ethiopic": re.compile("[\u1200-\u137f]"),
    "latin": re.compile("[a-z\u00c0-\u024f\u1e00-\u1eff]", re.IGNORECASE),
}
_VOWELS: Final = frozenset("aáàâäãåąeéèêëęěiíìîïoóòôöõuúùûüůyýаеєёиіїоуыэюяь")


@lru_cache(maxsize=10_000)
def forms_of(name: str) -> Mapping[str, frozenset[str]]:
    """Return the other forms of a name in lower case, each with the groups of languages that use it.

    An empty set of groups means all languages.
    """
    found: dict[str, frozenset[str]] = {}
    for form, group in _forms(name):
        if form != name:
            groups = found.get(form, frozenset([group]))
            found[form] = groups | {group} if group and groups else frozenset()
    return found


def script_of(name: str) -> str:
    """Return the script of a name, that is, the script of its first letter in a known script; "" if it has no such
    letter.
    """
    for letter in name:
        for script, letters in _SCRIPTS.items():
            if letters.match(letter):
                return script
    return ""


def _forms(name: str) -> Iterator[tuple[str, str]]:
    script = script_of(name)
    if script == "hangul":
        yield from ((name + end, "") for end in _KOREAN.split())
    elif script == "latin" and len(name) >= LEAST_STEM:
        yield from _latin(name)
    elif len(name) >= LEAST_STEM or (script == "cyrillic" and len(name) == 2 and name[-1] not in _VOWELS | {"й"}):
        yield from ((form, "") for form in _of_all_texts(name, script))


def _of_all_texts(name: str, script: str) -> Iterator[str]:
    if script == "cyrillic":
        yield from _cyrillic(name)
    elif script == "greek":
        yield from _declensions_of(name, _GREEK)
    before, behind = _BEFORE.get(script, ""), _BEHIND.get(script, "")
    yield from (one + name for one in before.split())
    yield from (stem + end for stem in {name, name.removesuffix("ი")} for end in behind.split())
    yield from (name[:-1] + end for end in _PULLI.get(name[-1], "").split())


def _cyrillic(name: str) -> Iterator[str]:
    yield from _declensions_of(name, _CYRILLIC)
    if name[-1] not in _VOWELS and name[-1] != "й":
        yield from (name + end for end in _CYRILLIC_CONSONANT.split())
        if len(name) > LEAST_STEM and name[-2] == "і":  # Федір, Антін: the vowel changes before an ending
            yield from (name[:-2] + vowel + name[-1] + end for vowel in "ое" for end in _OPEN_ENDS)
    if name[-1] == "ь" and name[-3] == "і" and len(name) > LEAST_STEM + 1:
        yield from (name[:-3] + vowel + name[-2] + end for vowel in "ое" for end in _SOFT_ENDS)
    if name[-1] == "а" and (name in OF_WOMEN or ADJECTIVE.fullmatch(name)):
        yield from (name[:-1] + end for end in ("ої", "ій"))
    if name[-1] == "а" and name[-2] in "жцчшщ":  # Саша
        yield from (name[:-1] + end for end in ("ей", "ею"))
    is_short = len(name) == LEAST_STEM + 1 or (len(name) == LEAST_STEM and name[-1] == "я")
    if name[-1] in "ая" and is_short:  # Маша, Таня, Оля: people are addressed without the last vowel
        yield name[:-1] + ("ь" if name[-1] == "я" else "")


def _latin(name: str) -> Iterator[tuple[str, str]]:
    is_open = name[-1] in _VOWELS
    yield name + "s", "genitive"
    yield from ((form, "slavic") for form in _declensions_of(name, _LATIN_SLAVIC))
    yield from ((form, "baltic") for form in _declensions_of(name, _BALTIC))
    if not is_open:
        yield from ((name + end, "slavic") for end in _LATIN_SLAVIC_CONSONANT.split())
    yield from ((name + end, "turkish") for end in _TURKISH.split())
    stems = {name} if is_open else {name, name + "i", name + "e"}
    if name.endswith("nen"):
        stems = {name[:-3] + "se", name[:-3] + "s"}
    stems |= {re.sub(r"([kpt])\1(.)$", r"\1\2", name)}  # Pekka: Pekan
    yield from ((stem + end, "finnic") for stem in stems for end in _FINNIC.split())
    long = name[:-1] + {"a": "á", "e": "é"}[name[-1]] if name[-1] in "ae" else name
    yield from ((long + end, "hungarian") for end in _HUNGARIAN.split())
    if not is_open:
        yield from ((name + name[-1] + end, "hungarian") for end in ("al", "el"))
    if name[-1] == "a":
        yield from ((name[:-1] + end, "romanian") for end in ("ei", "ii", "o"))


def _declensions_of(name: str, table: str) -> Iterator[str]:
    for ending, others in _endings(table):
        if name.endswith(ending) and (name == ending or len(name) > len(ending) + 1):
            yield from (name[: -len(ending)] + other for other in others)


@lru_cache(maxsize=10)
def _endings(table: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    lines = (line.partition(": ") for line in table.strip().splitlines())
    return tuple((ending, tuple(others.split())) for ending, _, others in lines)
