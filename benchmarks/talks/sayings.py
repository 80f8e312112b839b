"""Facts that people ask lull to remember, in the languages of lull's own texts and in some others."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Saying:
    """A request to remember something, the fact that a model stores for the request, and a question whose answer is the
    fact.
    """

    language: str
    said: str
    fact: str
    question: str
    #: a word of the request by which it is found again
    telling: str
    #: whether the fact has other word forms than the request, so that lull does not recognize the fact as the person's
    #: own words
    bends: bool = False


#: two requests in each of the most common languages, one in each other language
SAYINGS: Final = (
    Saying(
        "en", "Please remember that I am allergic to peanuts.", "Is allergic to peanuts.",
        "Do you remember what I am allergic to, peanuts or milk?", "peanuts",
    ),
    Saying(
        "en", "Keep in mind: my daughter Milena starts school in September.", "Milena starts school in September.",
        "When did I say that Milena starts school?", "Milena",
    ),
    Saying(
        "de", "Merk dir bitte, dass ich keinen Koriander mag.", "Mag keinen Koriander.",
        "Erinnerst du dich, was ich über Koriander gesagt habe?", "Koriander",
    ),
    Saying(
        "de", "Denk daran: mein Hund heißt Watson.", "Der Hund heißt Watson.",
        "Hatte ich dir gesagt, wie mein Hund heißt?", "Watson",
    ),
    Saying(
        "es", "Recuerda que soy vegetariana.", "Es vegetariana.",
        "¿Recuerdas si soy vegetariana?", "vegetariana",
    ),
    Saying(
        "fr", "Retiens que mon train pour Lyon part mardi à neuf.", "Son train pour Lyon part mardi à neuf.",
        "Tu te souviens de mon train pour Lyon ?", "Lyon",
    ),
    Saying(
        "it", "Ricorda che la mia auto è una Panda rossa.", "La sua auto è una Panda rossa.",
        "Ti ricordi che auto ho?", "Panda", bends=True,
    ),
    Saying(
        "pt", "Lembra que a minha gata se chama Farofa.", "A gata se chama Farofa.",
        "Você lembra como se chama a minha gata?", "Farofa",
    ),
    Saying(
        "uk", "Запам’ятай, що я не їм горіхів.", "Не їсть горіхів.",
        "Пам’ятаєш, що я казала про горіхи?", "горіхів", bends=True,
    ),
    Saying(
        "uk", "Запам’ятай: мій код від під’їзду змінився, там тепер Лелека.", "Код від під’їзду тепер Лелека.",
        "Який код у моєму під’їзді?", "Лелека",
    ),
    Saying(
        "ru", "Запомни, что у сестры свадьба в июне в Самаре.", "У сестры свадьба в июне в Самаре.",
        "Помнишь, где свадьба у сестры?", "Самаре",
    ),
    Saying(
        "tr", "Unutma, glüten yiyemiyorum.", "Glüten yiyemiyor.",
        "Glüten hakkında ne demiştim, hatırlıyor musun?", "glüten",
    ),
    Saying(
        "id", "Ingat ya, saya tidak makan udang.", "Tidak makan udang.",
        "Kamu ingat soal udang?", "udang",
    ),
    Saying(
        "uz", "Esda tut: ukamning ismi Jasur.", "Ukasining ismi Jasur.",
        "Ukamning ismi nima, esladingmi?", "Jasur", bends=True,
    ),
    Saying(
        "hi", "याद रखना कि मुझे मूंगफली से एलर्जी है।", "मूंगफली से एलर्जी है।",
        "क्या तुम्हें याद है कि मुझे मूंगफली से क्या होता है?", "मूंगफली",
    ),
    Saying(
        "ar", "تذكر أن عندي حساسية من الفستق.", "عنده حساسية من الفستق.",
        "هل تتذكر ما قلته عن الفستق؟", "الفستق",
    ),
    Saying(
        "fa", "یادت باشد که من به بادام حساسیت دارم.", "به بادام حساسیت دارد.",
        "یادت هست درباره بادام چه گفتم؟", "بادام", bends=True,
    ),
    Saying(
        "pl", "Zapamiętaj, że moja siostra Kasia mieszka w Gdyni.", "Siostra Kasia mieszka w Gdyni.",
        "Pamiętasz, gdzie mieszka Kasia?", "Gdyni",
    ),
    Saying(
        "ja", "私がそばアレルギーだと覚えておいて。", "そばアレルギーがある。",
        "そばのことを覚えてる？", "そば", bends=True,
    ),
    Saying(
        "zh", "请记住我对花生过敏。", "对花生过敏。",
        "你还记得我对花生怎么样吗？", "花生",
    ),
)  # fmt: skip
