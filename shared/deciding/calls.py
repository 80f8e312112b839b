"""Decides whether a text mentions somebody by name, and whether it addresses them.

Some names are also common words. A use as the common word (`a lull`, `will you come?`) does not count. Short tables of
words, for the languages that lull speaks, show such uses. Every other use counts as a name.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from shared.deciding.names import fold, forms_of, places_of


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


def _any_of(table: str) -> str:
    return "|".join(map(re.escape, sorted(table.split(), key=len, reverse=True)))


#: determiners that show that the name is used as a noun. Definite articles are missing, since some languages put them
#: before names: der Max, il Marco
_ARTICLES: Final = _any_of("a an the some my your our their ein eine einen einem einer un une una uno um uma een bir")
#: determiners of the same sort, which may however also end a question, just before the name that is addressed: what is
#: this lull?
_POINTERS: Final = _any_of("""
    this these those another any each every his her its such word term verb noun define spell
    dieser diese dieses diesem diesen kein keine keinen ce cet cette este esta ese esa questo questa esse essa deze dit
    geen цей ця цієї цьому цю цим этот эта эту этого этом
""")
#: adjectives between a determiner and the name used as a noun. Nouns are missing, since they may end a request: `a
#: short summary lull`
_QUALITIES: Final = _any_of("""
    brief short little long small big great nice good bad deep slow quick recent late early calm odd strange weird
    welcome rare whole same first second last next final real total sudden temporary momentary slight typical usual
    current seasonal prolonged lengthy perfect lovely new old huge tiny major minor general certain quiet peaceful
    natural awkward very rather more kind of sort of red white wild yellow pink black fresh dry wet
""")
#: adjectives that show that the name is used as a noun, even without a determiner
_SURE_QUALITIES: Final = _any_of("brief usual typical temporary momentary seasonal sudden slight prolonged lengthy")
#: nouns of a time or a place; after `a` and such a noun the name is used as a noun
_KINDS: Final = _any_of("""
    market sales trading traffic news business work summer winter spring autumn holiday christmas weekend afternoon
    morning evening midday mid-day mid-week midweek lunchtime lunch post-lunch pre-holiday day-long hour-long minute
    hour day week fighting battle ceasefire january february march april may june july august september october
    november december
""")
_HYPHENED: Final = r"(?:mid|pre|post|late|early|off)-\w+(?:-\w+)*|\w+(?:-\w+)*-(?:long|day|week|month|hour|minute|year)"
#: prepositions of duration
_LASTING: Final = "during|amid|amidst|throughout|despite|während|pendant|durante|tijdens|podczas"
_OBJECTS: Final = "me|us|you|him|her|them|it|people|everyone|everybody|someone|somebody"
_THINGS: Final = f"{_OBJECTS}|the|a|an|my|your|his|our|their"
_TALKING: Final = "talk|talking|talked|speak|listen|say|said|says|give|gave|send|sent|write|wrote|according|reply|back"
_HELPERS: Final = "will|would|can|could|may|might|must|should|shall|let|lets|to|don't|don’t|doesn't|doesn’t|won't|won’t"

#: text before a name that shows that the name is used as a noun
_NOUN: Final = re.compile(rf"""(?<![\w-])(?:
    (?:{_ARTICLES})\ (?:(?:{_QUALITIES})\ ){{0,3}}
    | (?:{_SURE_QUALITIES})\ (?:(?:{_KINDS})\ )?                        # usual lull, usual summer lull
    | an?\ (?:(?:{_QUALITIES}|\d+|two|three)[ -]){{0,2}}(?:{_KINDS})\    # an afternoon lull
    | (?:an?|another|this)\ (?:{_HYPHENED})\                             # a mid-afternoon lull
    | no\ more\ | not\ enough\ | the\ \d+\ ?[ap]m\                      # the 2pm lull
    | (?:{_LASTING})\ (?:(?:the|this|that|a|an|our|die|la|el)\ )?
    )['"‘’“”«„(]?$""", re.VERBOSE)  # fmt: skip
#: text before a name that shows the same if the sentence continues like a sentence about a thing
_NOUN_OF_A_TIME: Final = re.compile(
    rf"(?:(?<![\w-])(?:the|this|that|our) (?:(?:{_KINDS}|{_HYPHENED}|\d+ ?[ap]m) ){{1,2}}|^(?:{_KINDS}|{_HYPHENED}) )$"
)
_THING_GOES_ON: Final = re.compile(
    r" (?:is|was|has|continues?|continued|ends?|ended|lasts?|lasted|hits?|hit|in|between|before|after|ahead|that|which|"
    r"seems?|means|came|made|holds?|held|allows?|allowed|expected|reported|hitting|over)(?!\w)| ?[:–—]"
)
#: text after a name at the start of a headline: `lull in fighting reported`, unless it asks or requests something
_HEADLINE: Final = re.compile(r"""
    \ (?:(?:in|at)\ (?:the\ |this\ )?(?:(?!my|our|your)[\w-]+\ ){0,2}(?:fighting|trading|sales|activity|conversation|
    discussion|traffic|violence|hostilities|business|demand|orders|bookings|war|conflict|battles?|markets?|storms?|
    shelling|rain|wind|snow|action|attacks?|strikes?|bombing|gunfire|work|protests?|volatility|growth|posting|news|talks|
    hiring|season|front)
    |after\ (?:[\w-]+\ )?(?:hours|days|weeks|months|years)\ of|ahead\ of|amid|as\ [\w-]+\ (?:continues?|goes|go|begins?)
    |(?:is\ )?(?:reported|expected|forecast|likely|over)(?=\W*$))(?!\w)(?P<rest>[^?]*)$""", re.VERBOSE)  # fmt: skip
_REQUESTS: Final = _words("""
    please pls you me us we i my our what who when where why how which tell remind show give find look translate explain
    summarize summarise add send put post set start stop make write play open book check list say
""")
#: text before a name at the end of a headline: `fighting resumes after lull`
_RESUMED: Final = re.compile(
    r"(?<!\w)(?:resumes?|resumed|restarts?|returns?|returned|erupts?|erupted) (?:\w+ )?after $"
)
#: text after a name that shows that the name is used as a noun
_OF_A_THING: Final = re.compile(r" (?:of(?! course)|before the storm|periods?|phases?|spells?)(?!\w)")
#: text before a name that shows the same, unless the name ends a question
_NOUN_INSIDE: Final = re.compile(
    rf"(?<![\w-])(?:(?:{_POINTERS}) (?:(?:{_QUALITIES}) ){{0,3}}|(?:{_LASTING}) (?:[\w-]+ ){{1,3}})['\"‘’“”«„(]?$"
)
_ENDS_QUESTION: Final = re.compile(r"\W*\?\W*$")
_NONE: Final = re.compile(r"(?<![\w-])no $")
_MARK_BEHIND: Final = re.compile(r"\s*[,;:!،，!?]")
_HELPER: Final = re.compile(rf"(?<![\w-])(?:{_HELPERS}) $")
_TOLD_TO: Final = re.compile(rf"(?<!\w)(?:{_TALKING}) to $")
_OBJECT: Final = re.compile(rf" (?:{_OBJECTS})(?!\w)")
_THING: Final = re.compile(rf" (?:{_THINGS})(?!\w)")
_TO_SLEEP: Final = re.compile(
    r" (?:[\w'’-]+ ){1,3}(?:asleep|to sleep|to rest|into (?:a|an|the|false|sleep|thinking))(?!\w)"
)
_ASKED: Final = re.compile(r"(?<!\w)(?:ask|asking|asked|tell|hey|dear) (?:the|our|my) $")

#: text before a name that shows that the name is a person's: somebody is asked or told
_IS_ASKED: Final = re.compile(r"""(?<!\w)(?:ask|asking|asked|tell|frag|frage|fragt|fragen\ wir|sag|pregunta|
    pregúntale|dile|demande|demandez|dis|chiedi|chiediamo|pergunta|pergunte|vraag|zapytaj|spytaj|спроси|спросим|
    спросите|спитай|спитаймо|запитай|запитаймо|скажи|tanya)\ (?:
    (?:mal|doch|den|die|a|à|ao|ad|aan|у|в)\ ){0,2}$""", re.VERBOSE)  # fmt: skip
_HAS_SAID: Final = re.compile(r" (?:said|told|wrote|answered|replied|thinks|knows)(?!\w)")
_YOU: Final = re.compile(r"(?<!\w)you (?:think|say|mean|know|reckon|agree|sure|there|ready|ok|doing|up to) $")
_DOES: Final = re.compile(r"(?<!\w)(?:does|did|would|could|can|should|is|let) $")
_THINK: Final = re.compile(
    r" (?:think|say|know|mean|answer|suggest|recommend|explain|agree|believe|decide|here|online|awake|asleep|"
    r"there\W*$)(?!\w)"
)
#: names that are also common words which need no article: verbs, months, uncountable nouns
_UNCOUNTED: Final = frozenset(form for word in _words("""
    will may hope mark bill rose max min grace joy faith moss art amber ivory gold silver dawn june april august
    march summer autumn winter spring rain frost ginger mint sage pepper clay flint stone rock chase grant drew skip
    stew wade pat sue rob frank rich rusty sunny lucky merry misty happy honey justice mercy patience peace honor
    glory harmony destiny karma trust ever young true chat help data info news music link echo robin love light
    charity prudence sky nova ocean river crystal iris ruby python jack pixel cosmo comet aurora phoenix angel atlas
    oracle cloud storm star spark flash pearl lily daisy violet ivy olive hazel heather jasmine basil pepper dash
    raven fox bot assistant luna stella estrella sombra luz paz sol mar amor esperanza fe gloria alma alba rosa
    blanca clara dulce cielo vitória esperança vida luce gioia speranza bianca chiara viola serena vera віра надія
    любов слава мир воля доля зоря мрія зірка роза вера надежда любовь роман май март август марта лев deniz
    barış umut güneş yağmur sevgi can yıldız bintang bulan fleur claire aurore pierre stern engel sonne
""") for form in forms_of(word))  # fmt: skip
#: greetings before a name, of at most two words
_GREETINGS: Final = _any_of("""
    hey hi hello hallo yo oi ok okay okey oh ah thanks thx ty thank-you cheers please pls morning good-morning
    good-evening good-night good-afternoon gm gn bye goodbye welcome sorry yes yeah yep nope well so dear right
    great nice fyi cc lol haha omg wow this-is-for-you
    guten-morgen guten-abend gute-nacht moin servus danke bitte ja nein also hola gracias buenos-días buenas-tardes
    buenas-noches buenas oye sí vale salut coucou bonjour bonsoir merci oui non ciao buongiorno buonasera grazie
    scusa senti
    olá oi obrigado obrigada bom-dia boa-tarde boa-noite sim hoi dag hé bedankt dank-je goedemorgen cześć hej dzięki
    dziękuję witaj witam tak dzień-dobry привіт вітаю дякую добрий-день доброго-ранку добридень слухай так ні привет
    здравствуй здравствуйте спасибо добрый-день доброе-утро слушай да нет merhaba selam teşekkürler sağol günaydın
    tamam evet hai halo terima-kasih makasih selamat-pagi سلام مرحبا أهلا شكرا يا مرسی ممنون नमस्ते हाय धन्यवाद salom
    rahmat
""").replace(r"\-", " ")
_GREETED: Final = re.compile(rf"\W*(?:(?:{_GREETINGS})(?!\w)\W*){{0,2}}")
#: how a question or a request continues after the name that it addresses
_ADDRESSING: Final = re.compile(r"""\ (?:what|what['’]s|when|where|who|why|how|which|please|pls|tell\ me|give\ me|help|
    tell\ us|give\ us|show\ (?:me|us)|remind\ (?:me|us)|summari[sz]e|explain|translate|calculate|
    (?:can|could|do|did|are|would|have|will)\ (?:you|u)|
    look|check|see|come|was|wann|wo|wer|warum|wie|kannst\ du|kommst\ du|was\ meinst|o\ que|me\ ajuda|hast\ du|
    bist\ du|qué|cuándo|dónde|cómo|puedes|tu\ peux|tu\ viens|quand|où|puoi|cosa|quando|onde|você|wat|wanneer|waar|
    kun\ je|co|kiedy|gdzie|jak|czy|що|коли|де|як|чи|ти|ходи|дивись|что|когда|где|как|ты|смотри|ne|nerede|nasıl|apa|
    kapan|di\ mana|bagaimana)(?!\w)""", re.VERBOSE)  # fmt: skip
#: names that are also auxiliary verbs: with a verb after them they form a sentence, as in `will check`
_AUXILIARIES: Final = frozenset({"will", "may", "can"})
_DOING: Final = re.compile(
    r" (?:\w+ (?:me|us)|summari[sz]e|explain|translate|calculate|help|look|check|see|come)(?!\w)"
)
_GOES_ON: Final = re.compile(
    r" (?:i|you|u|we|they|he|she|it|me|us|them|my|your|the|a|an|this|that|do|be|so|to|not)(?!\w)"
)
_SURE_PAUSE: Final = re.compile(
    r"(?:さん|ちゃん|くん|さま|様|君|氏|님|씨|아|야)?\s*(?:[,;:!،؛、，！：…—–?؟。？]|- |\.\.|\W*$)"
)
_COMMA_BEFORE: Final = re.compile(r"[,;،؛、，]\s*$")
#: an amount before `, max.`, such as five minutes; a time such as `at 5` is not an amount
_AMOUNT: Final = re.compile(
    r"(?<!at )(?<!by )(?<!\w)(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|fifty|half|"
    r"couple of|few)(?:[ -]?[^\W\d]+){0,3}[,;]\s*$"
)
_LIMITS: Final = frozenset({"max", "min"})

#: words after which a mention or name is part of the sentence, not an address: tell @ann, for @ben
_GOVERNING: Final = _words("""
    a an the of to for from with by about at on in and or than like as via ask asking asked tell remind message text
    write s call ping invite add ban unban mute kick mention tag thank show send give let try tried use used using is
    are was were does did has have had can could should would if that when because between around without before after
    against see know meet both wish congratulate roast von an für mit bei zu zum zur und oder frag frage sag sage
    schreib schreibe erinnere ist war hat kann über als dass wenn ohne grüß meint denkt sagt de à pour avec par et ou
    demande dis chez sur est comme sans pense dit para con por y o pregunta dile sobre es como sin piensa opina dice
    di da per e chiedi su è come senza pensa do em pergunta é sem van aan voor met en of vraag bij zeg over zonder
    vindt zegt od dla z i lub zapytaj powiedz czy jest że bez myśli napisz przypomnij від для з із й та або у в про чи
    є спитай запитай скажи нагадай без напиши думає каже привітай от с и или о об спроси скажи напомни если думает
    говорит поздравь ve ile veya dari untuk ke dengan dan atau tanya bilang oleh tentang
""")
_LAST_WORD: Final = re.compile(r"(\w+) $")

#: verbs that tell of the person mentioned before them, in languages in which the person addressed has another form, and
#: which no pronoun follows: not `@ann hat das geklappt?`
_TELLING: Final = _any_of("""
    hat hatte mag braucht sagt sagte meint meinte wohnt feiert heißt heeft houdt zegt vindt woont wordt viert ma miał
    miała chce lubi mówi mówił mówiła potrzebuje mieszka obchodzi має хоче любить каже сказав сказала потребує живе
    святкує хочет любит говорит сказал сказала живёт живет празднует tiene tuvo quiere necesita dijo vive cumple veut
    habite déteste préfère ha vuole dice abita compie tem teve quer gosta disse precisa mora punya suka butuh
""")
#: text after a mention that shows that the sentence is about the person, not addressed to them; not in `@ann is it
#: open?`
_IS_SUBJECT: Final = re.compile(
    rf"""(?:is|was|has|will|would)\ (?!you|u\ |it|this|that|he\ |she|they|we\ )(?:[^?]*$|(?!there|i\ )[^?,.;!]*[,.;!])|
    (?:can|could|should|must|might|may)\ (?!you|u\ |we|i\ |any|some|please|it|this|that)[^?]*$|
    (?:{_TELLING})(?![\w'’]|\ (?:du|das|die|der|ihr|er|es|sie|wer|je|jij|u|het|dat)\ )[^?,.;!]*(?:[,.;!]|$)|
    likes|loves|wants|needs|said|says|asked|thinks|knows|owes|paid|(?:and|or)\ (?:i|me|we)(?!\w)|too(?!\w)|also(?!\w)|
    ['’]s(?!\w)""",
    re.VERBOSE,
)
#: particles after a mention that take it into the sentence: `@annは`, `@ann에게`, `@ann'e`, `@ann ile`
_PARTICLE: Final = re.compile(
    "(?:さん|ちゃん|くん|さま|様|君)?[はがをにのともへで]|님?(?:은|는|이|가|을|를|의|에|도|와|과|랑|한테|께)|['’]y?[aeıiuü](?!\\w)"
    "|['’](?:n?[ıiuü]n|[dt][ae]n?|y?l[ae])(?!\\w)| (?:ile|için|को|ने|से|का|की|के|पर)(?![\\w\u0900-\u097f])"
)
#: words before a mention that still addresses the person: `look @ann it opens at nine`, `and now @ann sing`
_BEFORE_A_CALL: Final = _words("""
    look here see check guys schau guck hier regarde ici mira aquí guarda qui olha aqui kijk zobacz patrz дивись глянь
    ось смотри гляди вот bak lihat
    and but now then next wait alright hm hmm actually again finally come on your turn und aber jetzt nun dann weiter
    los komm warte et mais maintenant alors attends y pero ahora entonces pues espera venga ma adesso allora aspetta
    dai mas agora então i ale teraz więc czekaj en maar nu dus wacht kom і а але тепер тоді ну зачекай давай и но
    теперь тогда подожди ve ama şimdi hadi bekle dan tapi sekarang lalu ayo tunggu
""")
#: words after such a mention that show the same: `told you @ann I was right`
_TOLD_MORE: Final = re.compile(
    r"(?:i|you|u|we|he|she|it|they|ich|du|ihr|wir|er|es|je|tu|vous|nous|on|yo|tú|él|ella|io|noi|eu|você|ik|jij|wij|ja|"
    r"ty|wy|my|я|ти|ви|ми|він|вона|ты|вы|мы|он|она|ben|sen|biz|aku|kamu)(?!\w)"
)

#: the pause between a name and the text addressed to that person
_COMMA: Final = re.compile(r"\s*(?:[,;:!،؛、，！：…—–]|- )")
_PAUSE: Final = re.compile(rf"{_COMMA.pattern}|\s*(?:[?؟。？]|\.(?!\w)|$)")
#: a question right after a name. A particle after the name is excluded, since with it the name is part of the sentence
_QUESTION: Final = re.compile(r"(?![はがのをにともへで는은이가도의을를'’])[^,;:.!?،؛؟、，：？…—–。।]+[?؟？]")
#: titles after a name
_TITLE: Final = re.compile("さん|ちゃん|くん|さま|先生|様|君|氏|님|씨|아|야|")
_WORD: Final = re.compile(r"\w")
#: marks that end a sentence
FULL_STOPS: Final = ".!?…؟۔।。"
#: marks that end a sentence or a part of it
_SENTENCE_MARKS: Final = f"{FULL_STOPS},;:،؛、，"
#: this many characters before a name are examined
_LOOKED_AT: Final = 120
#: words in the longest greeting before a name: "good morning Bob, …"
LONGEST_GREETING: Final = 2


def speaks_of_one(text: str, names: Iterable[str]) -> bool:
    """Return whether a folded text contains at least one of the names, used as a name and not as a common word."""
    return any(True for _ in _name_places(text, names))


def calls_one(text: str, names: Iterable[str]) -> bool:
    """Return whether a folded text addresses one of the names: at its start, at its end, or after a greeting.

    Any one or two words before a name and a comma count as a greeting, in any language. So `ask Bob, he knows` counts.
    """
    return any(_is_apart(text, *place) for place in _name_places(text, names))


def surely_calls_one(text: str, names: Iterable[str]) -> bool:
    """Return whether a folded text clearly addresses one of the names; `ask Bob, he knows` does not count."""
    return any(is_vocative(text, *place) for place in _name_places(text, names))


def asks_one(text: str, names: Iterable[str]) -> bool:
    """Return whether a folded text asks the name at its end: `is this true lull?`, but not `do you know lull?`."""
    ends = (
        (start, end) for start, end in _name_places(text, names) if "?" in text[end:] and not _WORD.search(text, end)
    )
    return any(not _is_governed(text[:start]) for start, _ in ends)


def _name_places(text: str, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    return (place for place in places_of(text, names) if not is_usual_word(text, *place))


def _is_apart(text: str, start: int, end: int) -> bool:
    title = _TITLE.match(text, end)
    end = title.end() if title else end
    if not _WORD.search(text, 0, start) and _PAUSE.match(text, end):
        return True
    if not _WORD.search(text, end) and _COMMA_BEFORE.search(text[:start]):
        return True
    return _begins_what_is_said(text[max(text.rfind(stop, 0, start) for stop in FULL_STOPS) + 1 : start], text, end)


def _begins_what_is_said(before: str, text: str, end: int) -> bool:
    """Return whether a sentence begins by addressing a name, which is directly followed by a question or a comma.

    Before a comma, the name may also follow a greeting: `hello Bob, …`.
    """
    if not _WORD.search(before) and _QUESTION.match(text, end):
        return True
    is_greeting = len(before.split(maxsplit=LONGEST_GREETING)) <= LONGEST_GREETING
    return is_greeting and _COMMA.match(text, end) is not None


def is_usual_word(text: str, start: int, end: int) -> bool:
    """Return whether the name at these indices is used as a common word: `a lull`, `to lull the baby`, `in May`."""
    before, name = text[max(0, start - _LOOKED_AT) : start], text[start:end]
    if _is_noun(before, text, end) or _is_verb(before, text, end):
        return True
    return name in _UNCOUNTED and not is_vocative(text, start, end) and not _is_person(before, text, end)


def is_vocative(text: str, start: int, end: int) -> bool:
    """Return whether the name at these indices of a folded text clearly addresses somebody.

    It does so in two places: at the start or after a greeting, if a pause or a question follows; and at the end, after
    a comma.
    """
    before = text[max(0, start - _LOOKED_AT) : start]
    if _COMMA_BEFORE.search(before) and _WORD.search(text, end) is None:
        return "?" in text[end:] or text[start:end] not in _LIMITS or not _AMOUNT.search(before)
    greeting = text[max(text.rfind(mark, 0, start) for mark in _SENTENCE_MARKS) + 1 : start]
    if not _GREETED.fullmatch(greeting):
        return False
    if _SURE_PAUSE.match(text, end):
        return True
    if _ADDRESSING.match(text, end) and not (text[start:end] in _AUXILIARIES and _DOING.match(text, end)):
        return True
    return _WORD.search(greeting) is not None and not _GOES_ON.match(text, end)


def is_told_of(before: str, behind: str) -> bool:
    """Return whether a mention between these two texts addresses nobody: `tell @ann that …`, `@ann likes tea`."""
    if _PARTICLE.match(behind) or _IS_SUBJECT.match(fold(behind[:_LOOKED_AT])):
        return True
    # `fold` removes the last space, but that space shows that no word stands between
    words = f"{fold(before)} "
    return before.endswith(" ") and (_is_governed(words) or (behind[:1] == " " and _is_amid(words, fold(behind))))


def _is_amid(before: str, behind: str) -> bool:
    """Return whether a mention is inside a sentence and not set apart: `was meint @ann dazu?`"""
    part = before[max(before.rfind(mark) for mark in _SENTENCE_MARKS) + 1 :]
    is_call = _BEFORE_A_CALL.issuperset(_GREETED.sub("", part, count=1).split()) or _YOU.search(part)
    return not is_call and _WORD.match(behind) is not None and _TOLD_MORE.match(behind) is None


def _is_governed(before: str) -> bool:
    last = _LAST_WORD.search(before[-_LOOKED_AT:])
    return last is not None and last[1] in _GOVERNING


def _is_person(before: str, text: str, end: int) -> bool:
    """Return whether the sentence shows that the name is a person's: somebody asks this person, or the person says or
    thinks something.
    """
    is_asked = _IS_ASKED.search(before) or (_YOU.search(before) and _ENDS_QUESTION.match(text, end))
    return bool(is_asked or _HAS_SAID.match(text, end) or (_DOES.search(before) and _THINK.match(text, end)))


def _is_noun(before: str, text: str, end: int) -> bool:
    if _OF_A_THING.match(text, end):
        return True
    if _NOUN_OF_A_TIME.search(before) and (goes_on := _THING_GOES_ON.match(text, end)):
        return goes_on[0][-1].isalpha() or not _GREETED.fullmatch(before)  # `morning lull: …` is a greeting
    if _RESUMED.search(before) or (not _WORD.search(before) and _is_headline(text, end)):
        return True
    if _NONE.search(before):
        return not _MARK_BEHIND.match(text, end)
    if _NOUN.search(before):
        return _ASKED.search(before) is None
    pointed = _NOUN_INSIDE.search(before)
    return pointed is not None and (pointed.start() == 0 or _ENDS_QUESTION.match(text, end) is None)


def _is_headline(text: str, end: int) -> bool:
    found = _HEADLINE.match(text, end)
    return found is not None and _REQUESTS.isdisjoint(re.findall(r"\w+", found["rest"]))


def _is_verb(before: str, text: str, end: int) -> bool:
    if _TO_SLEEP.match(text, end):
        return True
    if not _HELPER.search(before) or _TOLD_TO.search(before):
        return False
    return (_THING if before.endswith("to ") else _OBJECT).match(text, end) is not None
