"""Letters beyond ASCII of the languages that were written in legacy code pages, most frequent first, and those code pages.

Source: counts over the translations of the Universal Declaration of Human Rights and over program messages; the first
hundreds of Jun Da's list of Chinese characters, in both forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

LATIN = {
    "french": "éèàêçôîùâûœëïæüÿ", "german": "üäößé", "spanish": "óíáéñúü¿¡ªº", "portuguese": "ãçáéíóêõúâàôüºª",
    "italian": "àèùòéìîíúº", "dutch": "éëïóèöü", "nordic": "åäöæøéüêèóòôà", "icelandic": "íáðóéúöæþý",
    "catalan": "óàèíéçúòï·ü", "irish": "áíéóúàèìòù",
    "english": "’“”–‘—…é•°®©™£€½§±×µ²·³¼¾†‰¢¥¶ñèçüïöáåê", "faroese": "íáðóúøýæ",
    "estonian": "äõüöšž", "albanian": "ëçâ", "filipino": "ñáóíú", "several": "éäöáüóíñèàåçãêøæôßîúõâûùïëœ",
}  # fmt: skip
CENTRAL = {
    "polish": "ąężółśćńźéü", "czech": "íáéýěžřčšůúóťďň", "slovak": "áíéýčžšúľťňôóäďřŕĺ", "hungarian": "éáóöőíüúű",
    "romanian": "ăîţâş", "croatian": "čžšćđ", "sorbian": "ěžčšćóńłřź", "german": "üäöß",
}  # fmt: skip
BALTIC = {"lithuanian": "ėųšžįąčęū", "latvian": "āīēšūņļģķžčōŗ", "estonian": "äõüöšž", "polish": "ąężółśćńź"}
TURKISH = {"turkish": "ıüşğçöİâîû", "azerbaijani": "əıüşöğçİ"}
ROMANIAN_16 = {"romanian": "ăîțâș"}
CYRILLIC = {
    "russian": "оеаинтсрвлкмдпугяызбйьчхжцшюэщфёъ", "ukrainian": "оаніирвтесклудмпзяьбгйчхцїжєюшщфґ’",
    "bulgarian": "аиоентрсвлкдпмзгяъубчцйжщхшфюь", "serbian": "аиоенрсуткјвдмплгзбцшчжћхњљђфџ",
    "macedonian": "аиоентрсвкдлмпугзбјцчшжќфхњѓѕџљ", "belarusian": "анаіроелскдтпуьяывмзцгбшчйжўхюёэф",
}  # fmt: skip
GREEK = {"greek": "ατοιενρσκηπςυμλίόάγέδήωχθύφβώξζψϊΐΰϋ"}
HEBREW = {"hebrew": "יוהלרבתמאשנעםדקחפסכגטצןזךףץ"}
ARABIC = {
    "arabic": "اليمونرتبةعدسفهكقأحجشطصىخإذزغضئءثظآؤ،", "persian": "ایردنهومتبسلکشزفگعخقجآپحطصغچضظذژثئ‌،",
    "urdu": "اکیرےنوہلسمتبدپجٹگعچحھقشفزخںصطئآ۔،",
}  # fmt: skip
THAI = {"thai": "านรอกเงมยลวดทสตะปบคหแจพชขใโไถผธณซศ่้ั็ีิืึุู์ำ๋๊ฉฐฟฝภษอฮฬญฎฏฑฒฌๆฯ"}
VIETNAMESE = {"vietnamese": "\u0301\u0300đôươê\u0323ă\u0309â\u0303"}

HIRAGANA = (
    "のにるたとはしいをでてがなれからさっりすあもこまうくよきんめおけそつだやえどわち"
    "みせじばへびずろほげむべひょゆぶごゃねふぐぎぼゅづざぞぬぜぱぽぷぴぃぁぇぺぉ"
)
KATAKANA = (
    "ーンスルトリイアラックドレシジタフロカテマィグバムプオコデニウメサビナブャエュチ"
    "キズダパミェョハセベガモツネボソノァヴワポペピケゴギザホゲォヤヒユヨヘゼヌゥゾ・"
)
KANJI = (
    "日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校"
    "語土木聞食車何南万毎白天母火右読友左休父雨会社事者業法方的場合自部地内同定権利民京区市県町村株式番号用品表示新情報理体全"
    "回対最不成動主相手私田藤井佐村加林松伊渡辺木府道数量注文備考計項目説明必要使設名称住所氏"
)
SIMPLIFIED = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方"
    "多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情"
    "明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给"
    "世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太"
    "量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象"
)
TRADITIONAL = (
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方"
    "多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情"
    "明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給"
    "世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太"
    "量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象"
)
HANGUL = (
    "이다에의는로하을가고지서한은기으년대사시를리도인스일정자전수부해구아제어장보원과라나그있상동주여공국용조화유성위관중만세비우"
    "안무연경학생회물들것등된않없김박최강민선신영문현재진호준미소행방식업계내모실개금통치교육체명목양발표분석번항점결과"
)


class Page(NamedTuple):
    """One code page: its codec, the logarithm of how often it is met, its languages and how they are scored."""

    codec: str
    prior: float
    languages: Mapping[str, str]
    script: str


CJK_LANGUAGES = {
    "japanese": HIRAGANA + KATAKANA + KANJI,
    "simplified": SIMPLIFIED,
    "traditional": TRADITIONAL,
    "korean": HANGUL,
}
PAGES = (
    Page("cp1252", 0.0, LATIN, "latin"),
    Page("cp1250", -1.0, CENTRAL, "latin"),
    Page("iso8859_2", -1.5, CENTRAL, "latin"),
    Page("cp1254", -1.0, TURKISH, "latin"),
    Page("cp1257", -1.5, BALTIC, "latin"),
    Page("iso8859_13", -3.0, BALTIC, "latin"),
    Page("iso8859_4", -4.0, BALTIC, "latin"),
    Page("iso8859_16", -4.0, ROMANIAN_16, "latin"),
    Page("cp1258", -2.0, VIETNAMESE, "latin"),
    Page("mac_roman", -5.5, LATIN, "latin"),
    Page("mac_latin2", -11.0, CENTRAL, "latin"),
    Page("mac_turkish", -11.0, TURKISH, "latin"),
    Page("cp850", -9.0, LATIN, "latin"),
    Page("cp437", -10.0, LATIN, "latin"),
    Page("cp852", -9.0, CENTRAL, "latin"),
    Page("cp857", -10.0, TURKISH, "latin"),
    Page("cp775", -10.0, BALTIC, "latin"),
    Page("cp1251", -0.5, CYRILLIC, "cyrillic"),
    Page("koi8_r", -1.0, {"russian": CYRILLIC["russian"]}, "cyrillic"),
    Page("koi8_u", -1.5, {"ukrainian": CYRILLIC["ukrainian"]}, "cyrillic"),
    Page("cp866", -2.0, CYRILLIC, "cyrillic"),
    Page("iso8859_5", -1.5, CYRILLIC, "cyrillic"),
    Page("mac_cyrillic", -4.0, CYRILLIC, "cyrillic"),
    Page("cp855", -8.0, CYRILLIC, "cyrillic"),
    Page("cp1253", -1.0, GREEK, "greek"),
    Page("iso8859_7", -1.5, GREEK, "greek"),
    Page("cp737", -7.0, GREEK, "greek"),
    Page("mac_greek", -8.0, GREEK, "greek"),
    Page("cp1255", -1.0, HEBREW, "hebrew"),
    Page("iso8859_8", -1.5, HEBREW, "hebrew"),
    Page("cp862", -7.0, HEBREW, "hebrew"),
    Page("cp1256", -1.0, ARABIC, "arabic"),
    Page("iso8859_6", -1.5, {"arabic": ARABIC["arabic"]}, "arabic"),
    Page("cp720", -8.0, {"arabic": ARABIC["arabic"]}, "arabic"),
    Page("cp874", -1.0, THAI, "thai"),
    Page("cp932", -0.5, {"japanese": CJK_LANGUAGES["japanese"]}, "cjk"),
    Page("euc_jp", -1.0, {"japanese": CJK_LANGUAGES["japanese"]}, "cjk"),
    Page("gb18030", -0.5, {"simplified": SIMPLIFIED}, "cjk"),
    Page("big5hkscs", -0.5, {"traditional": TRADITIONAL}, "cjk"),
    Page("cp949", -0.5, {"korean": HANGUL}, "cjk"),
)
# Small languages whose letters would otherwise explain what a large one wrote in another code page.
LANGUAGE_PRIORS = {
    "icelandic": -2.0, "faroese": -3.0, "irish": -1.5, "filipino": -1.0, "albanian": -1.5, "estonian": -1.0, "several": -1.0,
    "sorbian": -2.0, "lithuanian": -0.5, "croatian": -0.5, "azerbaijani": -2.0, "urdu": -2.0,
}  # fmt: skip
RANGES = {
    "cyrillic": ("\u0400", "\u04ff"), "greek": ("\u0370", "\u03ff"), "hebrew": ("\u0590", "\u05ff"),
    "arabic": ("\u0600", "\u06ff"), "thai": ("\u0e00", "\u0e7f"),
}  # fmt: skip

# First bytes of the everyday characters in a double-byte set: level 1 of JIS X 0208, GB 2312 and Big5, KS X 1001's Hangul.
EVERYDAY = {
    "cp932": (0x88, 0x97), "euc_jp": (0xB0, 0xCF), "gb18030": (0xB0, 0xD7), "big5hkscs": (0xA4, 0xC6), "cp949": (0xB0, 0xC8),
}  # fmt: skip
