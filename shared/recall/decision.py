"""Decides whether a question refers to something that the prompt does not show, by a test of its words, without a
model.

The test works for any language. It looks for a question mark, for words that begin a question or refer to the past, and
for words that do not occur in the shown conversation.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from shared.base.language.terms import QueryTerm
from shared.recall.matching.questions import QUESTION_MARKS

#: words and prefixes that refer to the past, in the languages that lull speaks and some others
_LOOKING_BACK: Final = re.compile(
    r"""(?<!\w)(?:
    re(?:member|call)|remind\ me\ (?:what|who|when|where|which|how)|earlier|previously
    |last\ (?:time|week|month|year|spring|summer|autumn|fall|winter)
    |we\ (?:said|decided|agreed|discussed|talked)
    |(?:have|did)\ (?:i|we|you)\ (?:say|tell|told|said|mention|decide|agree)
    |(?:i|you|we|he|she|they)\ (?:told|said|mentioned)
    |erinner|neulich|letzte[nsmr]?\ (?:mal|woche|monat|jahr)|hatten?\ (?:ich|wir)|sagte
    |recu[eé]rd|acuerd|la\ última\ vez|dijiste|dijimos|habíamos|quedamos
    |souvien|rappelle|la\ dernière\ fois|avons-nous|as-tu\ dit|avait\ dit
    |ricord|l'ultima\ volta|avevamo|abbiamo\ detto|hai\ detto
    |lembra|da\ última\ vez|disseste|dissemos|combinamos|você\ disse
    |помн|вспомн|напомни|в\ прошлый|в\ прошлом|раньше|мы\ (?:решили|говорили|договор)|говорил
    |пам['’ʼ]ята|згада|нагада|минул(?:ого|ої)|раніше|ми\ (?:вирішили|домовил|говорили)|казав|казала|казали
    |hatırl|geçen\ (?:sefer|hafta|ay|yıl)|demiştik|konuşmuştuk
    |ingat|waktu\ itu|minggu\ lalu|bulan\ lalu
    |esla|o'tgan
    |pamięta|ostatnio|zeszł
    )""",
    re.VERBOSE | re.IGNORECASE,
)
#: the same for scripts that write no spaces between words, or that join prefixes to words
_LOOKING_BACK_ANYWHERE: Final = re.compile(
    "覚えて|思い出|前回|先週|先月|この前|この間|以前|记得|記得|上次|上周|上個月|上个月|之前|기억|지난번|지난주|지난달|저번"
    "|تذكر|تتذكر|المرة الماضية|الأسبوع الماضي|قلت|یاد(?:ت|م)? |دفعه قبل|هفته پیش"
    "|याद|पिछल|จำได้|ครั้งที่แล้ว|สัปดาห์ที่แล้ว|זוכר|בפעם שעברה"
)
#: words that begin a question, for questions without a question mark
_ASKING: Final = re.compile(
    r"""\s*(?:(?:hey|hi|ok(?:ay)?|so|and|but|also|btw|und|also|aber|ну|а|и|і|та|e|y|et|mais|ve|peki|dan)\b[\s,]*){0,2}(?:
    what(?:'?s)?|when(?:'?s)?|where(?:'?s)?|who(?:'?s|se|m)?|which|how
    |wann|wo|wer|wem|wen|wie|welche[rnsm]?|wessen|was\ (?:war|ist|hat|habe|haben|hatte|sagte|wollte|weißt)
    |qué|cuál(?:es)?|cuándo|dónde|quién(?:es)?|cómo|cuánt[oa]s?
    |quels?|quelles?|quand|où|qui|comment|combien|que\ savez|qu'est-ce|c'est\ quoi
    |qual[ei]?|quando|dove|chi|cosa|quant[oaie]|com'era|onde|quem|quais
    |wanneer|waar|wie|hoe|welke?|wat
    |kiedy|gdzie|kto|jaki|jaka|jakie|ile
    |какой|какая|какое|какие|когда|где|кто|сколько|как\ (?:зовут|звали|назыв)
    |який|яка|яке|які|коли|де|хто|скільки|як\ (?:звати|звали|назив)
    |ne\ zaman|nerede|kim|hangi|kaç|apa|kapan|siapa|di\ mana|berapa|qachon|qayerda|kim|qaysi|qancha|nima
    )(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
#: the same for languages in which these words may be anywhere in the sentence
_ASKING_ANYWHERE: Final = re.compile(
    "什么|什麼|谁|誰|哪[里裡儿个個]|几点|多少|[吗嗎]$|何(?:だ|で|を|が|時)|どこ|いつ|ですか|ましたか|뭐|누구|어디|언제"
    r"|(?<!\w)(?:ne\ zaman|nerede|ney(?:di|miş)|kimdi|hangi|nima|qachon|qayerda|qancha|क्या|कब|कहाँ|कौन|कितन|متى"
    r"|أين|اين|كم|کی|کجا|چی|چه|چند)(?!\w)",
    re.IGNORECASE,
)
#: a request for a future reminder does not refer to the past
_REMINDER: Final = re.compile(
    r"""(?<!\w)(?:remind|erinner\w*\ (?:mich|uns)|rappelle[zs]?[-\ ](?:moi|nous)|recu[eé]rda(?:me|nos)|ricorda(?:mi|ci)
    |me\ lembr[ae]|lembr[ae]-me|напомни|нагада|hatırlat|ingatkan|eslat|przypomnij|herinner\ (?:me|mij|ons))""",
    re.VERBOSE | re.IGNORECASE,
)
_TO_COME: Final = re.compile(
    r"""(?<!\w)(?:(?:in|at|om|um|over|dans|en|em|tra|fra|alle|à|às|a\ las|в|о|об|за|через|saat|soat|jam|dalam|o)\ \d
    |tomorrow|tonight|every|each|next|morgen|jede[nrsm]?|nächste|heute|demain|chaque|tous\ les|mañana|cada|todos\ los
    |domani|ogni|amanhã|tod[oa]s?\ |завтра|сегодня|кажд|через|сьогодні|щодня|кожн|yarın|her\ |har\ |besok
    |setiap|ertaga|jutro|dziś|każd|elke|vandaag)""",
    re.VERBOSE | re.IGNORECASE,
)
#: requests to be reminded of something to do, or on a day of the week. They look forward without a word of `_TO_COME`
_TO_DO: Final = re.compile(
    r"""(?<!\w)(?:remind\ (?:me|us)\ (?:please\ )?(?:to|at|on)\ |set\ (?:me\ )?(?:a|an|up\ a)\ reminder
    |erinner\w*\ (?:mich|uns)\ (?:bitte\ )?(?:d(?:a)?ran\b(?=[^?]*(?:\bzu\b|zu\w+en\b))|am\ \w+tag|um\ )
    |(?:recu[eé]rda|recorda)(?:me|nos)\ (?:por\ favor\ )?(?:(?!ayer)\w*(?:ar|er|ir)(?:l[aeo]s?|me|se|nos)?(?!\w)
        |que\ (?:tengo\ que|debo|hay\ que)\ |a\ las?\ (?=\w)
        |(?:el\ )?(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo)(?!\w))
    |rappelle[zs]?-(?:moi|nous)\ (?:d['’e]\ ?(?:\w+['’])?\w+(?:er|ir|re)(?!\w)|\w+di(?!\w)|que\ je\ dois|à\ )
    |ricorda(?:mi|ci)\ (?:di\ \w+r(?:e|lo|la|li|le|mi|ci|ne)(?!\w)|(?:\w+dì|sabato|domenica)(?!\w)|alle\ |che\ devo)
    |(?:me\ lembr[ae]|lembr[ae]-me)\ (?:de\ \w*(?:ar|er|ir)(?!\w)|(?:na\ )?\w+-feira|às\ )
    |(?:напомни(?:те)?|напоминай)\ (?:(?:мне|нам)\ )?(?:пожалуйста,?\ )?(?:[а-яё]+(?:ть|ти|чь|ться|тись)(?!\w)
        |в[о]?\ (?:понедельник|вторник|сред|четверг|пятниц|суббот|воскресенье))
    |нагада(?:й(?:те)?|ти|туй)\ (?:(?:мені|нам)\ )?(?:будь\ ласка,?\ )?(?:[а-яіїєґ'’ʼ]+(?:ти|тися|тись)(?!\w)
        |[ву]\ (?:понеділок|вівторок|серед|четвер|п['’ʼ]ятниц|субот|неділ))
    |\w+m[ae][mn][ıiuü](?:z[ıi])?\ hatırlat|ingatkan\ (?:saya|aku|kami)\ untuk|\w+ishni\ eslat)
    |ने\ की\ याद\ दिला|のを思い出させて|یادم\ (?:بنداز|بیار|بیاور)\ (?:که\ )?(?:باید|ب\w+)""",
    re.VERBOSE | re.IGNORECASE,
)
#: further words with which people ask about a day without a question mark
_ASKING_OF_DAYS: Final = re.compile(
    r"""\s*(?:(?:hey|hi|ok(?:ay)?|so|and|please|pls|und|bitte|ну|а|и|і|та|e|y|et)\b[\s,]*){0,2}(?:
    tell|summari[sz]e|sum\ up|recap|list|describe|anything|show|give\ me
    |was|worüber|wovon|worum|womit|erzähl\w*|fass\w*|zeig\w*|nenn\w*|sag\w*
    |(?:de|di|da|d'|sobre|à|con|com|en)\ (?:qué|que|cosa|che|o\ que|quoi|qui|quem)|que|o\ que|qu['’]\w+|che
    |cuént\w*|resum\w*|dime|raconte\w*|résum\w*|dis-moi|raccont\w*|riassum\w*|dimmi|conta|conte|diga
    |что|чем|чего|(?:о|об|про|над)\ (?:ч[её]м|что|чём)|расскаж\w*|опиши|подведи|перескажи|скажи
    |що|чим|(?:про|над)\ (?:що|чим)|розкаж\w*|підсумуй|перекажи|скажи
    |waar(?:over|mee|van)?|vertel|vat|co|czym|o\ czym|opowiedz|podsumuj|powiedz
    |anlat|özetle|ceritakan|rangkum|aytib|lekin\ nima|nimalar
    )(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)


class NamedDays(Enum):
    """Kinds of questions: only about days that the prompt shows (SHOWN) or does not show (UNSHOWN); others (NONE)."""

    NONE = auto()
    SHOWN = auto()
    UNSHOWN = auto()


@dataclass(frozen=True, kw_only=True)
class RecallDecision:
    """The decision whether to search earlier conversations (`is_outside`), and the reason, a fixed English phrase."""

    is_outside: bool
    why: str


def no_days_named() -> NamedDays:
    """The default for `days` in `decide_recall`: the question is not only about days (`NamedDays.NONE`)."""
    return NamedDays.NONE


def decide_recall(
    question: str,
    terms: Sequence[QueryTerm],
    shown: Callable[[], Collection[str]],
    *,
    days: Callable[[], NamedDays] = no_days_named,
) -> RecallDecision:
    """Decide whether the question refers to something that the prompt does not show.

    `terms` are the terms of the question. `shown` returns the terms of the shown messages, and `days` the kind of the
    question (`NamedDays`). `shown` and `days` are called only if needed.
    """
    is_reminder = (_REMINDER.search(question) and _TO_COME.search(question)) or _TO_DO.search(question)
    looks_back = bool(_LOOKING_BACK.search(question) or _LOOKING_BACK_ANYWHERE.search(question)) and not is_reminder
    asks = QUESTION_MARKS.search(question) or _ASKING.match(question) or _ASKING_ANYWHERE.search(question)
    may_ask = _ASKING_OF_DAYS.match(question) and not is_reminder
    asked_of = days() if looks_back or asks or may_ask else NamedDays.NONE
    if not (looks_back or asks or asked_of is not NamedDays.NONE):
        return RecallDecision(is_outside=False, why="the message asks nothing")
    if asked_of is not NamedDays.NONE:
        why = (
            "the message asks about a day that is not shown"
            if asked_of is NamedDays.UNSHOWN
            else "the day that the message asks about is shown"
        )
        return RecallDecision(is_outside=asked_of is NamedDays.UNSHOWN, why=why)
    telling = [term for term in terms if not term.is_small]
    if not telling:
        return RecallDecision(is_outside=False, why="the message names nothing to search for")
    if looks_back:
        return RecallDecision(is_outside=True, why="the message refers to the past")
    known = shown()
    if all(any(variant in known for variant in term.variants) for term in telling):
        return RecallDecision(is_outside=False, why="everything that the message names is shown")
    return RecallDecision(is_outside=True, why="the message asks about something that is not shown")
