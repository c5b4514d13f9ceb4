"""One sentence in each of many languages, with the code pages that it was written in.

Source: translations of the Universal Declaration of Human Rights (OHCHR).
"""

from __future__ import annotations

SENTENCES = {
    "fr": (
        "Tout individu a droit à la vie, à la liberté et à la sûreté ",
        ("cp1252", "mac_roman", "cp850"),
    ),
    "de": (
        "da ein gemeinsames Verständnis dieser Rechte und Freiheiten von größter Wichtigkeit für die volle Erfüllung",
        ("cp1252", "mac_roman", "cp850"),
    ),
    "es": (
        "En caso de persecución, toda persona tiene derecho a buscar ",
        ("cp1252",),
    ),
    "sv": (
        "Envar har rätt att i andra länder söka och åtnjuta fristad f",
        ("cp1252", "mac_roman", "cp850"),
    ),
    "fi": (
        "kun on tähdellistä edistää ystävällisten suhteiden kehittymi",
        ("cp1252", "cp850"),
    ),
    "pl": (
        "Każdy człowiek ma prawo opuścić jakikolwiek kraj, włączając ",
        ("cp1250", "iso8859_2", "cp852"),
    ),
    "cs": (
        "že stejné chápání těchto práv a svobod má nesmírný význam pr",
        ("cp1250", "iso8859_2", "cp852"),
    ),
    "hu": (
        "Minden személynek joga van az üldözés elől más országban menedéket keresni és a más ország nyújtotta",
        ("cp1250", "iso8859_2", "cp852"),
    ),
    "lt": (
        "Kiekvienas žmogus turi teisę išvažiuoti iš kiekvienos šalies",
        ("cp1257",),
    ),
    "lv": (
        "ievērojot, ka šo tiesību un brīvību vispārējai izpratnei ir milzīga nozīme šīs apņemšanās pilnīgai",
        ("cp1257",),
    ),
    "tr": (
        "İnsanlık topluluğunun bütün fertleriyle uzuvlarının bu beyan",
        ("cp1254",),
    ),
    "ru": (
        "Каждый человек имеет право свободно передвигаться и выбирать себе местожительство в пределах каждого",
        ("cp1251", "koi8_r", "cp866", "iso8859_5", "mac_cyrillic"),
    ),
    "uk": (
        "Ніхто не може зазнавати безпідставного арешту, затримання аб",
        ("cp1251", "koi8_u"),
    ),
    "bg": (
        "Всеки човек има право на ефективно възстановяване на правата си от компетентните национални юрисдикции за",
        ("cp1251", "iso8859_5"),
    ),
    "el": (
        "Επειδή έχει ουσιαστική σημασία να ενθαρρύνεται η ανάπτυξη φι",
        ("cp1253", "iso8859_7"),
    ),
    "he": (
        "הואיל והכרה בכבוד הטבעי אשר לכל בני משפחת האדם ובזכויותיהם השוות והבלתי נפקעות הוא יסוד החופש, הצדק והשלום",
        ("cp1255", "iso8859_8"),
    ),
    "ar": (
        "لمّا كان الاعتراف بالكرامة المتأصلة في جميع أعضاء الأسرة البشرية وبحقوقهم المتساوية الثابتة هو أساس الحرية",
        ("cp1256", "iso8859_6"),
    ),
    "th": (
        "ทุกคนมีสิทธิในอิสรภาพแห่งการเคลื่อนไหวและสถานที่อยู่ภายในเขต",
        ("cp874",),
    ),
    "ja": (
        "人権の無視及び軽侮が、人類の良心を踏みにじった野蛮行為をもたらし、言論及び信仰の自由が受けられ、恐怖及び欠乏のない世界の",
        ("cp932", "euc_jp", "iso2022_jp"),
    ),
    "zh_Hans": (
        "并且不得因一人所属的国家或领土的政治的、行政的或者国际的地位之不同而有所区别,无论该领土是独立领土、托管领土、非自治领土",
        ("gbk",),
    ),
    "zh_Hant": (
        "鑑於對人權的無視和侮蔑已發展為野蠻暴行，這些暴行沾污了人類的良心，而一個人人享有言論和信仰自由並免予恐懼和匱乏的世界的來",
        ("big5",),
    ),
    "ko": (
        "인간이 폭정과 억압에 대항하는 마지막 수단으로서 반란을 일으키도록 강요받지 않으려면, 법에 의한 통치에 의하",
        ("cp949",),
    ),
}
