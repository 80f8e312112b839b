"""Words beside a name that show whether the name means a person."""

from typing import Final

from shared.privacy.deletion.common_words import words_of

#: Words before things. A common word with a capital letter is not a name if it comes after one of them.
DETERMINERS: Final = words_of("""
the a an this that these those my your his her its our their every each no some any of in since until last next
early late mid der die das den dem des ein eine im el la los las un una le les du il lo gli i uno o os as um
uma de het este esta questo questa ce cette этот эта это эту мой моя ваш наш цей ця це цю мій новый новая новий
нова в у о об про
""")
#: Determiners after which a common word is not a name even if it is in lower case.
ARTICLES: Final = words_of("""
the a an this that these those my your his her its our their every each no some any ein eine einen einem einer kein
keine keinen un una uno um uma het este esta questo questa этот эта это эту мой моя мою цей ця це цю мій моя мою
""")
#: Words that begin any sentence, such as He in "He said". They are names only after a title, as in "Mr He".
PRONOUNS: Final = words_of("""
he she it they this that these those who what which whose you we us me yours hers ours theirs one there here where when
why how everybody everyone everything somebody someone something nobody nothing anybody anyone anything both all some
many other others such so as if and but not yes no ok okay oh well hi hello hey thanks sorry please today tomorrow
yesterday tonight now then dinner lunch breakfast people kids er sie es wer was man das dies diese dieser ich du wir ihr
ihnen ihre alle alles jemand niemand nichts hier dort heute morgen gestern nein él ellos ellas quién qué quien tú usted
todo todos nada nadie hoy mañana ayer ce cela qui quoi je nous vous ils elles tout rien oui questo questa quello oggi
domani ieri eles elas quem isso isto tudo você hoje ono kto wszystko nikt dziś jutro wczoraj tak nie kdo dnes zítra
včera herkes bugün yarın dün evet он она оно они кто что это мы вы вас вам вами ваш все всё никто ничто ничего сегодня
завтра вчера нет ну так вот там тут здесь він вона воно вони хто що це ви ваші всі ніхто ніщо нічого хтось сьогодні
вчора ні ось отже
""")
#: titles before the name of a person
HONORIFICS: Final = words_of("""
mr mrs ms miss mx dr prof sir madam lady lord uncle aunt auntie brother sister herr frau señor señora señorita
sr sra don doña monsieur madame mme mlle signor signora signorina senhor senhora dona meneer mevrouw fru hr pan
pani panie paní pane slečna domnul doamna bay bayan abi abla bapak pak ibu bu mas mbak anh chị em ông bà cô chú
пан пані пане панно дядько дядя тітка тётя тетя г-н г-жа господин госпожа гражданин товариш товарищ друже κύριε
κύριος κυρία السيد السيدة سيد سيدة أستاذ أستاذة دكتور دكتورة الأخ أخي أختي آقای خانم גברת אדון הרב ד״ר श्री
श्रीमती भाई बहन जी
""")
#: words of greeting and thanks, which people write before a name
GREETINGS: Final = words_of("""
hi hello hey thanks thank dear welcome bye goodbye congrats congratulations sorry hola gracias querido querida
adiós hallo danke liebe lieber tschüss salut bonjour merci cher chère bonsoir ciao grazie caro cara olá oi
obrigado obrigada hoi dag dank hej tack kære tak hei kiitos szia köszönöm kedves cześć dzięki drogi droga witaj
ahoj díky milý milá bună mulțumesc merhaba selam teşekkürler sevgili halo terima kasih привіт вітаю дякую
дорога дорогий шановний шановна привет здравствуй здравствуйте спасибо дорогая дорогой уважаемый уважаемая γεια
ευχαριστώ مرحبا أهلا شكرا عزيزي عزيزتي سلام ممنون يا שלום תודה היי नमस्ते धन्यवाद
""")
#: Polite phrases. They do not identify anybody.
POLITE: Final = GREETINGS | words_of("""
good everyone everybody guys folks see nice great happy please sure okay ok yes lol wow guten gute schönen schöne alle
allen leute bitte viel buenos buenas todos todas feliz por favor bonne bonnes tous tout monde buongiorno buona buone
buon tutti bom boa todos você goede alvast iedereen dobry dobra miłego wszystkim proszę dobrý den všem hezký günaydın
iyi herkese lütfen доброго добрий добра добре гарного усім всім люди будь ласка доброе добрый доброй хорошего всем
ребята пожалуйста удачи καλημέρα καλησπέρα صباح مساء الخير النور בוקר ערב טוב कृपया शुभ
""")
#: Months and days of the week. With a number beside it, such a word is a date, which identifies nobody.
CALENDAR: Final = words_of("""
january february march april may june july august september october november december monday tuesday wednesday
thursday friday saturday sunday jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun januar
februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag enero febrero
marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miércoles jueves viernes
sábado domingo janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi
jeudi vendredi samedi dimanche gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre lunedì martedì
mercoledì giovedì venerdì sabato domenica janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
segunda terça quarta quinta sexta januari februari maart mei augustus maandag dinsdag woensdag donderdag vrijdag
zaterdag zondag stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
poniedziałek wtorek środa środę czwartek piątek sobota sobotę niedziela niedzielę ocak şubat mart nisan mayıs haziran
temmuz ağustos eylül ekim kasım aralık pazartesi salı çarşamba perşembe cuma cumartesi pazar січня лютого березня
квітня травня червня липня серпня вересня жовтня листопада грудня понеділок вівторок середа середу четвер пʼятниця
пʼятницю субота суботу неділя неділю января февраля марта апреля мая июня июля августа сентября октября ноября
декабря понедельник вторник среда среду четверг пятница пятницу суббота субботу воскресенье року года
""")
#: Verbs for what only people do. A common word before such a verb, at the beginning of a sentence, is a name.
PERSONS_VERBS: Final = words_of("""
said says asked asks told tells wrote writes thinks thought wants wanted likes liked loves loved hates prefers
knows knew believes mentioned mentions suggested suggests answered answers replied replies promised promises
agreed agrees brought brings comes came arrived arrives lives lived works worked met meets plans planned needs
needed sent sends bought buys joined joins left leaves called calls feels felt remembers remembered forgot eats
ate drinks drank sagt sagte fragt fragte mag möchte will schrieb schreibt bringt kommt kam dijo dice pregunta
preguntó quiere escribió trae viene a dit demande veut écrit apporte vient aime ha detto chiede vuole scrive
porta disse diz quer escreveu traz vem powiedział powiedziała mówi pyta chce lubi napisał napisała przyniesie
řekl řekla říká dedi diyor söyledi sordu istiyor seviyor yazdı geldi getiriyor сказал сказала говорит спросил
спросила спрашивает хочет любит написал написала пишет обещал обещала принес принёс принесёт принесет придёт
придет пришёл пришла приедет думает знает живёт работает просит просил просила сказав каже говорить запитав
запитала питає хоче любить написав пише обіцяв обіцяла принесе приніс принесла прийде прийшов прийшла приїде
думає знає живе працює просить просив gave gives قال قالت يقول تقول سأل سألت يريد تريد كتب كتبت يحب تحب جاء
جاءت אמר אמרה אומר אומרת שאל שאלה רוצה כתב כתבה אוהב אוהבת בא הגיע הגיעה ने को گفت می‌گوید پرسید خواست نوشت
""")
#: forms of "be" and "have", which follow names of people, but also things
BE: Final = words_of("""
is was has had isn't wasn't hasn't and ist war hat es fue est était è era é foi jest był była
""")
#: for scripts without spaces: words that come after a name, and words that come before one
HONORED_AFTER: Final = (
    "先生|女士|小姐|太太|老师|老師|医生|醫生|教授|经理|總|总|哥哥|哥|姐姐|姐|叔叔|阿姨|同学|同學|同志|师傅|さん|様|さま|くん|君|ちゃん|氏|殿|"
    "先輩|せんぱい|씨|님|군|양|선배|선생님|說|说|問|问|想要|喜欢|喜歡|告诉|告訴|は言|が言|ครับ|ค่ะ|คะ|จ๋า|จ้า|จ้ะ|บอก|พูด|ถาม"
)
HONORED_BEFORE: Final = "คุณ|พี่|น้อง|นาย|นาง|นางสาว|ครู|หมอ|ลุง|ป้า|น้า|อา|@"
