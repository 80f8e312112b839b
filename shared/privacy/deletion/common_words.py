"""Common words that are also names of people."""

from typing import Final

from shared.base.language.languages import SMALL_WORDS
from shared.privacy.deletion.letters import key_of


def words_of(table: str) -> frozenset[str]:
    """Return the words of `table`, a text with spaces between words, in normalized form."""
    return frozenset(map(key_of, table.split()))


#: In lower case. The small words of each language (`shared/base/language/languages.py`) are added below.
_NAMES: Final = """
ace adore aid aim al alma amber amen amor an angel angle anise ann apple april aqua archer aria ark art ash
ashes asher aster august aura aurora autumn axel bailey baker bale ball bank banks barb barber bay bean bear
beau bee bell belle ben bender benefit berg berry best bill bills birch bird bishop black blaze bliss bloom
blossom blue bo bob bond bonny boo book booker booth boss bow bowie boy brand brandy brave bridge bridger briar
brick brook brooks brown buck bud buddy bunny burn bush butcher butler buzz cade camp can candy captain carol
carpenter carter case cash cast castle cat chance chandler charity chase chastity cherish cherry china chip
christian christmas chuck church cliff clay clement clove clover coal coco cole comfort constance cook cookie
cooper coral corn cotton cox crane creed cricket crispin cross cruise cruz crystal cuba curt daisy dale dan
dandy dash dawn day deacon dean dear deer delight delta den denim destiny dial diamond dick dig dill dish do
doc dolly don dora dot dove drake draw dream drew duck duke dustin dusty dutch earl earnest east easter echo ed
eden edge elle else ember emerald emery eve ever faith faithful fall farmer fawn fay fern field fin finch
finish fisher fit fleet flint flora florence flower ford forest forrest fortune foster fox france francs frank
franks fred free freedom french friday frost gale game gardener garland garnet gay gem gene general genesis
gentle georgia ghost gig ginger glad glen glide glory gold golden good goodwill grace grand grant gray graves
green grey griffin grove gull gun gunner guy ha hail hale hall ham hank happy harbor hardy harmony harper hart
haven hawk hay hazel heart heath heather heaven heck henna herb herbs hero hex hide hill hills ho holiday
hollow holly home honest honey honor hood hope hopes house hug hunt hunter ice imp india indigo ink iris iron
isle ivory ivy jack jade jam jasper jay jeans jersey jest jet jewel jo job jolly jordan journey joy judge julep
july june juniper just justice karma keen ken key kid kim king kingdom kit kitty knight knox lad lady lake lamb
lance lane lark law lea leader leaf lee legend lemon leo levy liberty lie light lilac lily lin linden ling link
lion lis liv lo lock london long lord lore lot lou love lover lovely low loyal luck lucky luna luv lynx lyric
ma mac mace mackerel mae magic magnolia maid maison major malik man maple mar marble march marina mark marks
marlin marsh marshal marshall marvel mason massage master mat matt maverick max may maya mayor melody mercury
mercy merit merry mia mile miles mill miller milo mina mine minnow mint miracle misty mo molly mon monday monk
moon moor morale more morning moss mouse muse myrtle myth nan nat native navy ned neon nester net neve new
night nike no noble noon nora norm north nova novel oak oaks ocean octave oh olive om onyx opal ora oral orange
orchid oregon otter owl pace page paige paint pal palm pan panda pansy pants paris park parker parks parson pas
pat patience patsy peace peach pearl pen penny pepper pet petal phoenix pi pia piper pippin pit placid plum poe
poet pol pollen polly pool pop poppy porter post potter power praise precious price priest primrose prince
princess prior prize promise prosper prudence psalm pure quest quill rabbit rain rainbow raine ram ran ranger
raven ravine raw ray rays read reason red reed reef reign remedy ren rice rich ridge rifle ripple rise river
rivers road rob robe robin rock rocky rod roger roman rome rook root rosa rose rosemary roses rosin rosy row
rowan roy royal ruby rue rush rust rusty ruth sable sad saffron sage sailor saint sal salem sally salt samba
san sand sandy sapphire sara sarge sass sat savage savanna sawyer scarlet scout sea season seed sense sequoia
serene serenity sergeant shade shadow shah shale shaw shea shell shepherd sherry short silver sin sky skye skip
slate slow smart snow so sol solace soldier solo son song sophist sophy sorrel sparrow spike spirit spring
spruce star stark starling stem step sterling stone storm story stow strange street strong sugar summer sun
sunday sunny sunshine sure swan sweet swift tad taffy tan tanner tara tawny taylor teal tear temple ten terra
thistle thorn thyme tide tiger time tina tine tiny tip topaz trace tracer track trail treasure tree trinity
trip trist trout troy true truth tuck tucker tulip turner ty tyre unity urban vale valentine van vanilla velvet
venture venus vera verse vest vic victory viola violet violin virgin virginia vista viva von walker wall war
ward warden warner warren water waters watt wave wax welcome way weaver web webster weed west whisky white wick wild
wilder will willow wills win winner winter wise wish wolf wonder wood woods worth wren yale yam yang yen yes
york young yule zen zinc zion alegría amparo ángel ángeles asunción azucena belén blanca bosco caridad carmen
celeste cielo clara claro concha concepción consuelo dolores domingo dulce esperanza estrella fe felicidad
félix flor flores fuente gloria guerra iglesia jesús juan justo león libertad linda lobo lucero luz macarena
mercedes milagros moreno nieves paloma pastor paz perla piedad pilar plata prado ramos reina reyes ría rico
rocío rosario rubio salud salvador santo santos serrano socorro soledad soto torres trinidad ventura vega vida
violeta virtud abril blanche brune cerise clémence colombe constant désiré fleur franc honoré jasmin juste
légère loup lumière marin marine mauve modeste parfait pascal placide prune tendre valence victoire bianca
chiara dolce fede felice fiore franco gioia grazia letizia luce lupo rossi santa vita vittoria apfel bauer
blume braun bruder ernst fischer fritz fuchs gabe groß hase heide herz hirsch jäger kaiser klein koch könig
krieger kühn lang linde mai meister reich rein richter ritter schneider schön schwarz sommer sonne stein stern
sturm vogel wagner weiß zimmermann beata dina dobra jagoda kalina kora kosa kowal król ksiądz malina nadzieja
pogoda pola róża słowik sowa sroka wiara wilk wrona zając zima zorza żak aslan ay aydın barış bahar bayram
bulut ceylan çelik çiçek damla demir deniz derya devrim dilek doğan duman duygu ege emir erdem eren eylül gök
göl gül güler güneş güven hayat ırmak ışık ilk inci ipek kan kaya kaynak koç kurt kuzey mavi melek nehir nil
nur onay ömür öz özgür özlem öztürk pınar rüya savaş ses sevgi sevinç su şafak şahin şeker şimşek taş toprak
tuna ufuk umut uzun vefa yağmur yaprak yaz yıldız yılmaz yiğit zafer zeki zeytin ayu bagus baik bintang budi
bulan bunga cahaya cinta citra dewi dian fajar hadi hari indah jaya kartini mawar melati mega mulia nila
permata putri putra ratu rini sari setia surya tuti utama wati wulan ánh bình bích cúc đào dung dũng hà hải
hạnh hiền hoa hòa hồng hùng hương khánh lan linh loan ly minh nam ngân ngọc nguyệt nhung phúc phương quang sơn
tâm thảo thanh thu thủy trang trung tuyết vân việt xuân yến роман романа романы романи романів романов лев вера
віра надежда надія любовь любов слава роза рози розы лілія лилия лилии марк марка марки марку март марта август
августа мир мира воля зоря зоя ангел виктория вікторія маргарита маргариту калина калини малина малини малинка
слива рябина береза берёза іва ива олень олени олені оленя оленю оленем дар дара лада майя май мая маю мае
золото снег ясна весна мила милан жасмин рута ружа яблоко соловей соловйов сорока сорок ворона вовк волк волка
лис лиса лисиця заец заєць медведь медвідь ведмідь козел коза кот кіт гусь голуб голубь голубка журавель орел
орёл сокол сокіл щука карась окунь рак жук муха кузнец коваль ковалю мельник гончар ткач швець пекар писар
козак шевчик бондар чумак король князь цар царь поп дьяк солдат новик старий старый молодий молодой білий белый
чорний чёрный красный синий сірий рудий великий малий золотой правда кривда доля радість радость лихо біда горе
зима літо лето осень осінь мороз морозов вітер ветер гром буря туман хмара дощ дождь роса рось гора горы поле
степ лес ліс гай дуб дубы клен клён липа верба терен бук граб хліб хлеб сало каша борщ пиріг пирог сахар цукор
сіль соль мед мёд вода водка кім ким лі ли нам сам лука луки луку яра ярий рада ради раду раді рая раю рай юн
юность аура галка галки галочка світ свет світлий гранат вареник горох бараболя капуста перец перець буряк
цибуля лук роб том тома тому томи томе томом сила сили рима рим риму софа софи софу соня сони сонь сон сона бар
дана дано даний αγάπη ελπίδα ειρήνη σοφία νίκη χαρά αυγή δόξα ζωή πίστη φωτεινή άγγελος λέων أمل نور سعيد كريم
الله allah الرحمن الرحيم الدين الإسلام الحق النبي الرسول الرب العزيز الحميد القادر الهادي الكريم النور عبد أبو أبا أبي
ابن بن بنت أم آل ذو جميل جميلة حسن حسنة سلام ربيع قمر شمس نجم نجمة وردة زهرة ياسمين ريم غزال هدى هدية فرح سعادة رحمة
حكمة صبر إيمان أمين صادق عادل فاضل كامل شريف نبيل رشيد سليم طاهر عزيز غالي فارس قاسم ماجد منير ناصر وليد يسر أسد ذئب
صقر نسر بدر هلال سماء ندى ريان حياة حنان وفاء صفاء ضياء علي عمر عام عيد مهدي مؤمن مسلم ملك ملكة أمير أميرة بشير نذير
خالد حبيب حبيبة فاتح صالح مبارك محسن مراد منى هنا هناء سنا سما دعاء شهد لين نادر فريد وحيد رضا ماهر باسم هاني
زين جواد وسام أنس جنى روح ليل نهار امید نسیم بهار آرزو ستاره شادی گل مهر آذر آبان شیرین دریا باران پروانه سحر
ترانه یاس سپیده خورشید مهتاب رها آزاد بهرام אור שיר שירה טל גל לי לו חן דין רון נועם שלום תמר אורי ליל לילה ים
לב שי דור גיל גילה אביב סתיו חורף קיץ אילן אלון אורן ארז דקל רותם ורד יסמין נרקיס סביון שחר זוהר זיו ברק רעם
סער כוכב ירח שמש שמים אריה זאב דב צבי יעל איל ציפורה יונה דרור נשר עופר כפיר לביא רחל אשר נועה עדי עדן הדר
תפארת יופי יפה נעמה נעמי שמחה ששון רינה גיתית תהילה תקווה אמונה אמת חירות ישי יגאל עוז מעוז עמית חבר רעות אהבה
אהוב אהובה בן בת בר אם אב אח דוד דודה חיים חיה מלכה מלכי נסיכה שרה שר מור קרן पूजा आशा राज विजय जय प्रेम शांति
प्रकाश किरण चाँद सूरज ज्योति दीप दीपक आनंद सुख कमल फूल गीता लक्ष्मी माया ममता करुणा दया क्षमा श्रद्धा भक्ति
मुक्ति विद्या कला कविता गीत संगीत संध्या उषा निशा रात्रि वर्षा सावन बसंत मेघा सागर नदी गंगा पवन आकाश धरा तारा
अमर अजय अभय निर्मल कोमल सरल सुंदर मधु राम राजा रानी सोना हीरा मोती मोहन नीला लाल हरि
"""
#: Words of `_NAMES` that are usually a name if they begin a sentence.
_RATHER_NAMES: Final = """
ada alba alma angel anna ann aria august aurora axel bailey beau bella belle ben blanche bob brandy brooks
carmen carol carter charity clara claro cooper dan daisy dale dana dean dina dolly dora duke earl ed eden
elle ellis emery emir erdem eren eve fay felice flora florence franco frank fritz gene georgia gloria guy hank
harper hazel heather henna holly iris jack jasmin jasper jay jesús jo jordan juan justo ken kim kit knox kurt
lance leo león levy lily lin lina linda lis liv luna mae maya marin marina marine marlin mason matt max melati
mercedes mia mila milo mina miller molly nan nat ned nehir nora norm olga paige pal paloma parker pascal patsy
pearl penny perla pia pilar piper polly rob robin rocío rocky roger rosa rosario rosemary rowan roy ruth sally
sandy sara sawyer scarlet skye tad tanner tara taylor terra tina toby tonya tuna tucker ty tyre valentine van
vera vic viola violet von warren willow wills wolf wren yale zen zion bintang budi citra dewi dian fajar hadi
kartini nila putri putra ratu rini surya wati wulan ayu brown krieger jäger koch wagner vogel richter schneider
fischer meister zimmermann klein lang berg stern hirsch kowal król sikora sowa wilk zając zima nadzieja jagoda
kalina pola aydın aslan bahar bulut ceylan damla demir derya devrim dilek doğan duygu eylül güler hayat ipek
inci kaya koç melek pınar şahin toprak ufuk vefa yaprak yıldız yılmaz yiğit zafer кім ким марта вовк коваль кузнец
мельник гончар ткач швець бондар писар козак сорока сокіл соловей лука соня софа тома милан мила дана даний
галка майя лілія лилия виктория вікторія маргарита лада дара ελπίδα σοφία ζωή άγγελος λέων φωτεινή ειρήνη
"""
#: words that people use as a display name although they mean things or trades
_CALLED: Final = """
admin user users team work sales shop store support manager boss mom mum mama mommy dad papa daddy brother sister
friend friends baby girl girls boys coffee pizza cake dogs music doctor teacher student driver coach chef artist photo
video games player crypto bitcoin trader money news channel group chat test account deleted unknown anonymous nobody
someone somebody internet computer phone office school family life delivery service services company studio travel
fitness yoga beauty nails hair design designer developer engineer lawyer nurse agent owner guest visitor member group
casa arte vida mamá papá amiga amigo hermano hermana trabajo tienda café maestro doctora travail boutique maman soeur
frère ami amie école arbeit laden mutter vater freund freundin schule kaffee praca sklep kawa szkoła brat siostra
doktor okul kahve dükkan anne baba kardeş мама мамо мамі маму мамою папа папе папу тато таті тата брат брата сестра
сестру друг друга друзі друзья подруга кава кави каву кофе робота роботи роботу работа работы работу школа школи школу
магазин менеджер адмін админ лікар врач вчитель учитель учителя водій водитель тренер студент музика музыка доктор
доставка сервіс сервис компанія компания студія студия агент гість гость новини новости група группа чат канал тест
света свету свете светом света люба любий любу столяр маляр кравець скляр сирота пастух рибак рыбак карп
small little fields keys close rule world fine plain place rest share self common parts means counts charge tell nick
sharp bright gamble darling dance flood horn light law worth house high bird pool savage blood moody allen anders petit
толстой толстый сладкий горький дикий тихий гладкий короткий кривой лихой мудрый простой рыжий седой сухой хороший
товстий солодкий гіркий тихий гладкий короткий кривий лихий мудрий простий сивий сухий добрий гарний
жінка дівчина хлопець людина человек женщина девушка парень дом дома дім лебідь лебедь хміль хмель півень січень один
новый новий первый перший последний последняя останній остання второй другий
машина машині машину машини машиною машины машине яким said tag
"""
#: words of scripts without spaces
_UNSPACED: Final = """
高兴 王子 王国 国王 明天 明白 明月 文明 文化 文学 平安 和平 健康 美丽 美好 快乐 幸福 阳光 太阳 月亮 星星 天空
天天 海洋 大海 江山 江湖 黄河 长江 长城 长安 北京 南京 东方 西方 春天 夏天 秋天 冬天 白云 白天 雪花 花花 金钱
金牌 黄金 银行 石头 石油 马上 马路 牛奶 牛肉 羊肉 鱼肉 苗条 林业 森林 树林 木材 水果 水平 方便 方法 方向 安全
安静 安心 高级 高中 高度 高山 成功 成长 成果 包子 包括 包裹 谢谢 谢意 许多 许可 计划 温暖 温度 常常 平常 平等
关系 关心 关于 向往 向上 万一 万岁 万里 时间 时候 何必 任务 任何 于是 连接 连续 盛大 米饭 宁静 安宁 康复 健美
强大 强壮 光明 光荣 志愿 胜利 国庆 建设 红旗 红色 立春 新年 新月 元旦 思想 思念 如意 晨光 清晨 晓得 春风 秋月
冬梅 夏雨 冬雪 玉米 宝贝 宝石 珍珠 翡翠 芳香 和谐 和睦 一郎 健 光 愛 愛子 桜 さくら ひかり ひなた あかり はるか
みどり のぞみ めぐみ ゆき ゆめ はな あい あおい かおり こころ さき しずか すみれ つばさ ひまわり まこと もも
りん ほのか 大和 大地 大空 未来 希望 勇気 平和 幸 明 正 清 学 誠 実 山 川 森 林 金 石 本 東 西 北 南 中 上 下
原 田 하늘 바다 사랑 소망 믿음 보람 아름 아라 슬기 나라 가을 여름 겨울 봄 이슬 구름 별 달 해 빛 은하 다운 가람
나무 새롬 지혜 은혜 영광 미래 진실 진리 정의 평화 민주 민국 대한 우주 지구 유리 수정 보배 보석 진주 장미 난초
국화 매화 연꽃 소라 고은 고운 한울 도움 기쁨 이제 전부 조금 주문 주의 주인 ใจ ดี แดง ดำ เขียว ขาว น้ำ ฝน ฟ้า
ดาว เดือน ตะวัน ทราย ทะเล ดิน ไฟ ลม นก หนู ปลา กุ้ง ปู ไก่ เป็ด หมู แมว หมา ช้าง เสือ สิงห์ มด ผึ้ง ผีเสื้อ
กวาง กระต่าย เต่า กบ งู มังกร ส้ม กล้วย แตงโม องุ่น มะลิ กุหลาบ บัว ดอกไม้ ใบไม้ ต้นไม้ ต้น ป่า ภูเขา เพชร ทอง
เงิน พลอย แก้ว หยก มุก ไข่ ข้าว น้ำตาล น้ำหวาน หวาน เค้ก คุกกี้ ช็อกโกแลต กาแฟ ชา นม โอม เอ บี ซี หนึ่ง สอง สาม
สี่ ห้า ใหม่ เก่า เล็ก ใหญ่ สุข สุดา สวย สมหวัง สมใจ สบาย รัก ความรัก ชัย บุญ โชค โชคดี พร เอก โท ตรี มานะ มานี
ชูใจ ปิติ วีระ วันเพ็ญ วันดี อาทิตย์ จันทร์ อังคาร พุธ ศุกร์ เสาร์ มีนา เมษา
"""
#: Names that are also mass nouns, such as materials. A sentence about such a thing may look like one about a person.
MASS: Final = words_of("""
art grace hope faith joy may april june july august summer autumn winter spring dawn sunday monday friday love
mercy peace patience glory harmony honor justice liberty destiny karma fortune ginger honey amber pearl ruby
jade ivory coral crystal gold silver amor paz luz esperanza fe gloria вера віра надежда надія любовь любов
слава мир воля доля правда весна зима зоря роза лілія лилия маргарита виктория вікторія калина малина май март
август лев роман марк ангел рада deniz barış umut güneş yağmur sevgi
""")
RATHER_NAMES: Final = words_of(_RATHER_NAMES)
_LISTED: Final = words_of(_NAMES + _CALLED + _RATHER_NAMES + _UNSPACED)
#: adjectives that are surnames, in the form for women: Чорна, Белая
OF_WOMEN: Final = {word[:-2] + end for word in _LISTED if word.endswith(("ий", "ый", "ой")) for end in ("а", "ая")}
USUAL: Final = _LISTED.union(OF_WOMEN, *SMALL_WORDS.values())
