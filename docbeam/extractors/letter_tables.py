"""The tables behind letter_pairs.py: for each script its letters, and the levels of their pairs.

A row for each letter, a column for the one behind it, both in the order of EDGE, OTHER and the letters. Source: the
Universal Declaration of Human Rights in 466 translations; made by benchmarks/letter_pairs.py.
"""

from __future__ import annotations

TABLES = {
    # 410 languages
    "latin": (
        "abcdefghijklmnopqrstuvwxyz",
        "yl57868a9879575586c9659a8d9cmnqrvqrrvyuxsonktuynsowyqyry2o7aa9deba8b7673eac676bcbe9ddr8ktq9xrlapngqobvwhoobqir"
        "isfvarjpdwy7bpngqmcrrjohcunyllbo8qtf8rpf8hnjnjbtsehobmixgf3qddcbafcdada8a5iei788eefgcedxcqsqekrletqouneuwhomet"
        "lrjo9q8eojblhfbmihogbmshhibnhkinav7nml9tql8mihkhakkimf9mimiq3x8babadbcbd8995bdg988fdffbedwaompbwtmbiknjienrooi"
        "crmslwao6qnm9qkf9jffkj9euihg7mdrgt8p6koi8njh7jhchj9lmsggbmhshp9o6bpk9lkl9nljfjaesnii9lgukp4l5id88g6f7fcgfb9ghh"
        "b8ahhibf5teddcgfdfdebaa6behababeeifhfv8uqsamvhboogoobkwcmjcqisludydsrpjttnhromnohnlsnlbxpvsu8p7hif7lii8kghhfal"
        "ngebbijril7u7nfm9mo98meikjafjleabihwfm8q6nkp7njb6ijgli9lrdad9kjqgi6vaeedbgffbfb9a6eehabadgfhfgfybmtncrsjcosjpk"
        "dtojnofnlqkmfx7pspatsicpojolcquqmnfspxnsdyfqnritnqenlnroiotsnkgqmmnobw8olk9onnbpjkkgblojjidmnokpfycprmdwoicpon"
        "omfrvppohmjyll",
    ),
    # 35 languages
    "cyrillic": (
        "абвгдежзиклмнопрстуфхцчшъыьэяіјғқңүҳӈӕәө",
        "y965a97cca76d7785b669f7e9cvfy9dielcqfbceheag9kpkhctkcmjmfgrgjidtkojjycodtkppirhsnyen39ac7b8gea8a685hc497dibbcc"
        "kptohnggeiyijyvygh9nlmmcmj9tiol9yfijcymvvyidtdijjyyygvyohmgk8ykkhbvncjhoe8yghjfyrvmpmgqgmhlvtyryymnsco8qrohbpr"
        "bygolbyfpkbyytqobfidyiyyyyiyyhgjai7ljnd9if9mgmdbqfhlauvytvmbecehmkyyirvffj6fighdbigdcaab8kf8bbkoimgfttypjrkqvg"
        "tqsyvsjodlsyffyydrmyghyssojyvyrynfilysyyyymyyyhtdq9jijhftpdmhjgfmloogsqyyvrblflhvyvygtykjq3cbecbbddd9a896fe9b9"
        "ejegcdyfyfbjellgvllljtaf9rjqjbtp9gbom9ngjdayymnmdesfyevosviyyhgfaf6flcd9kj8hdefblqhgbyjnlogabchgohmyjqvoej8j7f"
        "ohhammahhjhbnikgdtmyjqpdmclikvvyhyyfei4g5lme99rh6lgfa9nrddcmjifjr8ebdemimlinyhek7djaadaifebe8b8ef8abfigfhgypyl"
        "hmfimjykpyyycjayyyyeyygihtnak8gidyktljqgygojturytyynqy6g5hjbc9hi8eefeangfcbrglgjrapckhvgkugprkfkbn9pdkkbyyaddj"
        "fbgif7cuklkpkcgfghryjykyvjhm9j6obkk9uy8gfie9kehc9yjyikm9bbiguunqfovhdh7edgfcblggebac9cd9dddrgkegyfyeopjgejynnm"
        "tyjphyyyyjysgvtvykyvmmopqyvrykyhyqyyoyyyympyby9sqqpgyyeqlnjdylggbykqtnfifcqqyyyygyykikighystyjyyavsuymyvvpmyok"
        "yyyhhpkhvyyyvyyjmshrbypytcyyajfrgeynvmeyvyisnetfyoqyyyityypldkeppkmfyyfghlninomehyqyppifkktkvvlykyyyiomnjtrtlj"
        "tmlokmqipkrmdqjyytyfybpyyysyyvymyy7emhnbeknfecbd7tgbddhhekhfyjyyjmtfdeyymynycmhoyynotrglpsdissijmyvqpqygydcyyp"
        "yytyyyyy8dvhfecljicebc9tg9ebdidjgimyyftppyyryqmyyy9lmliigqsghhghdsogjfmrlonmypyqrvyospytoyyydmlrkjitnhjjhjelnh"
        "hknvkompykyglmyyyiyyyyyyiudvrtteyvfntvmjyppyhyyyyyyoyryyjtyytyyykthtcyyuoryrjynyqtyouvguyyryyfyyyyyyyyyyyytyfi"
        "cyyyrsyygyjyyiqtmhgyyyqoyfyyyyyulyyqyygybykqyolsyvjrqpnyyvyoyyyyuyysynyyyyyypyyyyyfqynugkoqhimfidmpfkivvnyklyy"
        "yyyvsyypfyoytloyfytsolyyktstriyorofyyyysyyyyyyyyvypvyygykyhyyhvyyyinyyvgyyvykytyyyypyjyyvyyyoytylyeyyumllyyqfy"
        "mfeyogkmlpilyyyyyyyyyyyyyyyyyybigkoihkqjiihedqpchfmpittmyjyrsykyvynvoykyikqqlliyvhomhhiymflkvymvopyyyyyyvyypyy"
        "yyyh",
    ),
    # 2 languages
    "greek": (
        "αβγδεζηθικλμνξοπρστυφχψω",
        "yy3d943feb93e8ey74l63aeblhyyyyyyyyyyyyyyyyyyyyyyyyyy2yygbcydy82a8b6bh8756bgjyyyybyyylyhyhyjyyyhyhyyyyyyyyybygy"
        "ayfyahlgfyfylyyhyyyjyyfyyy9yay5yyyyydygyygyyyl9ylgejlyyc3b7d6aj86688h8jdyyyyyydyjyhyyyyygyyyyyyyyg4yyyhllyygyf"
        "fc6yyea5aylyjyyydyyy6yfyjyllcyly8yylyyyj2y4gl8aegdy3ef8y8fd5byjgl7yy2yyjay7yfyeyyy7fcyfhhyyeyybyyy7yay9ybjyy9y"
        "yyyglyjgyy6gyy8yfybyygly8dyyylgyyy3y7yyf8yab9yyyhy8yyyalyyy9yybyyyfybyeyyyyyhyyyylyyyl5yjgcdjyjj6d9a8yg9a793fe"
        "yyyy9yyy8ygy9ydyjy5y7ydyyyygyy8lcy8yba6jyhhy6yhlgblfya2ybhylby7y9bybyychyg69dgydyy5yyy7y4y7yyyyy5ydlyfyyy86yyl"
        "hyhyj9ylcc8cebg7aylhlyyycyyyfyjjgyyyyygygyyfyyyjyyhyyy8ygjhyyygyeydyyjyyydyyyyyyjyfyyyyyyyyyyyyyyyyyyyyyhjyygh"
        "yly76jlabbdyyyyy",
    ),
    # 2 languages
    "hebrew": (
        "אבגדהוזחטיךכלםמןנסעףפץצקרשת",
        "yy2586367ac7y95y5y89by5yca87dyyyyyyyyyyyyyyyyyyyyyyyyyyyyy9yycc7g5dea5yg7lbg8cyibyad5cgdy9glde8ede9yddyccclayi"
        "ylhbdfayfeyfyciymbyyeyjddy8yyyyycyl8ycimycayyy8yyk8hiky5yyyyhcyg4y7ecefadai9ybhfagegbyeygfhed7ya9c99cgce8cd7d9"
        "47feichec9c4by9yyyfdlyyby8lyjkjybyyyyjgyydyyeyed9hyy8yyhyjlyfyyyyyydhg4yajgyydyhy8ylclydyiayjymycby6yacdb96bd7"
        "adda7e88c7adyf78a98yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyacyfg9ii8fiyalhffmcmlylybjj6y8cje9bheb7yeceedhi7mdylbgcd4yyyy"
        "yyyyyyyyyyyyyyyyyyyyyyyyyybjjddaggf8lgeyiiel7yfjeehbf1yyyyyyyyyyyyyyyyyyyyyyyyyyyyly9y9ab8yj97yyglyljfayjhfffe"
        "dayiyyjjcyledymyyhfyyaygyyigyj6yybe9cbbyd9i79eb88cyyefdc4eh9yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy9yhjg6mcdcyldyyfeyby"
        "yyylcdfbyyyyyyyyyyyyyyyyyyyyyyyyyyyyyygjylyayyi8yymyjhyygyiyyyiyybygfyhjbmyccyy9lydfy9yiyimdil4yabefb7cga8cfmm"
        "ddej6jghcfldgbycflyb9lycayhblffdybydyymbyg4yiiykfaygyayljfihgyjieyygiyh",
    ),
    # 10 languages
    "arabic": (
        "ابةتجحخدذرزسشصضطعغفقكلمنهوىيپچڤکگںھہۇیېے",
        "y924y68796d9c77ffe8eb8a837a7n8acb5cycbrhyy8eanpgyphjydgjkyyypoykjhidebkcrkrpyrgnreef5alak8bdd6k698aahiajcad574"
        "d6y7cmfflakdy8yrbg8mpenilfy9rgepnjehyhleidgahdyfyypygjlcky9yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy6i9frnicgg"
        "ybpgiiiybkfgkhbdcadcyypipygrhbjdfpagmeyyyhrdlmyyyyyryyykfhhejjyyyyyyghmfyjfnaonfryydydrklinyyyf8lkeynlykyyyiyy"
        "yyygrymydprfyyylnjyrk9rmyynyydlrhckpiyyyyyyyrkyy5g6hegryjeydyhpyyykichmhef9adcoyikeyieg8idkyfpyryyyyygyypyyyyy"
        "yyykprhnymyyylyyygykyy5c7hlcgfh9yjheinfrhleeefdbbaebrlkdmyygi9lddk9jygyyygyyrriyyyrryyykgemhhkynyyiyyrmhkycg7f"
        "pamrlnyckjyyyimymojedfjeecrikfryyjoapdbydypeyy9dybynkyyylyydoiigycdkooygyyylhjryayhprmyjygykyyyyyyyyiyybnmrfyi"
        "yyyyyyykyfrrfyfryyyyyrygyyyyymiyyyyrgyrlpmyyyyyyypyhylgyhkmoyoyyyeyyyyyyrypyylyllgyoyyyyyyyyynylbyailhryyemmfm"
        "ypinyyydyachhgrfyyyyyyycydrhincrrnyyykrlyyyyyyyyyryjrrfhnhyyyyyyyyjfpydhcynfyyypycrjopmncyyjplyijgyhyyykyyynyi"
        "ry7p9kleyyyfygrjyikngyrmydyhl8bgyyyyyyymddliekdgyhyrymphyhypyynypyrfhekgejyrfyyyyyryoy6h7iicicngmeihkmklgfhged"
        "aecb9byyydnypkdalf6h6egbedhhfcmdhkribyjem9eaebgcykigoyyjg8pl4a9hrcekk8yjlafhpymjjklhegc9bdyjlfgypcialb5jbipoyy"
        "yfihypnyyyyflynpceyiyfyyyrpyyyygyy9c7grgeijbp6ebiihigii8i8a8ffnammkdm9rdydpi9eyoygiyreygjhbyyyyeyefbgbyyrehryy"
        "myyyyyyy7d9fcdjlmcmegjhrilhrnigffbdddhypplyryygagbggfryryyypngylyyyyyyyryhydyfkgrryryyrkyfypijdyyryyyyylyyyyyy"
        "yyyryjyhkgkjyyrinylllkrlfihyyoyyyfycyryyyyyyyrnlihyhylyyyyyyyyyyyybcbyygyyyhybychyyyyyyyygfdnayhryyyyydeybykkr"
        "fyyyyyyrldnpyyyyyyyyypylrkjjyyyyyyiyndyn5yyyyyyyyryyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyygieyylyyynyjyoyyyyyyyyyiyiyd"
        "opryyyyyyyodrj8yfgyjyyyfpiyypyyyyyyyyjkeycyyyyyiyyyhybykfmyyymoyyyyglmdyyyynyckgifyyyomkyyyynyyyyy3f8gy9jlrbpd"
        "jcgpkjfkkfyedafeylphyeg9rfyiyhcryyyjyyryyjyyryyyyyyyrhkpypyrroyrmyryyyyy5yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
        "yyyy",
    ),
    # 7 languages
    "devanagari": (
        "ंअआउएओकखगचछजटणतथदधनपबभमयरलवशषसहािीुूेैो्",
        "y9y479cd5dabd7jy9l8b858a6c8a6ay38yyyyyyyyy7djyyynygilfqlihcpinbhnyikfdjklehbihmlgrdf6eyyyyyyhydeyymybyhfhiijlf"
        "dmfkyfryyyyyyyyyyohyyyqyjpophmryigl78bnfjrgkgkyfryyyyyyyyyyjmyyyyclyomyhyikyfgiepyongkfpyoeyyyyyyyyyykyyyyyyky"
        "yfyyyykygygdyryyyhyyygyyyyyyyyyycqlyyyyyerhyyyyygyyyryiyqyqfiyyyfyyyyyyyyyipiyyyyqdoyyyyyyqyyyyyyyyycoyyyylyyy"
        "yyyyyy5biyyygylyyyyrmyfmjylmoyfy8drnygm5bhfkaj86nyyyyyyyyyyyyyrnmyyykyoyyyngyyyyyegrnyeqmicfqyyyyynyyyyypjdyyy"
        "jyqymmclyyynjdhghqgmjgepyyyyyyqyyyyyyymyryhmoyyjknqyyoy9dihkfnn8grnyyyyyyyyyyyyyyyyymyyyykyyyyyyyggyjy9emyepyy"
        "yyqyhofqyyyykymybykylohqoyynlacepyfyrdgnyyyyyymyyyyyyyoyyyjyyyyymryyyrykjjlnoqo9aymyyyyyiryyyyypgyoyyoyykmoypy"
        "ymybhkkkhyoc7gdyyyyyfqyyymyyhbhybrmyjkbkgyykk76edrdng5fyiyyyyyyyyyyyyynyyymyyyjyyygyyymaekyyloykaejyyyyynkmqqy"
        "yhkymymlqggngkrqofyceeijboeadoyyyyyyjyyyyyyyiyyygrryqreykyyyoa6gpyirnf6ehyyqoyepnryjyygylyjomqhinjbnngf89d9d9e"
        "c7djmyyykyhynkyrykfykyboyjjgagrryikbdjgciom6hfhyyyqyqynhypyylyhyfyyyyyfyyyyigceggieiqklhryyykyjyqyyryyyyrykyyy"
        "qpmrgyyyqbehmkdqijaelyyyyygypyyhymeykjegoyygiioyynj6bfdf9lmb7nhyyyyy9yoryyyybrhyhloyfnmofryej6enen9jbk4ifyyyoy"
        "9hhhynyc7mgyfmhieejmgkyee5aadccoc69ljyyyyyiyjryyyphyyyhyjlgnykyyyly9cgooaoecahgqyyyygyrkqiqmbqljdoqjmlemnfyeg7"
        "8eymbfi8drnyyyyyiyyyyyyyqyyyoyyymyllyyyoyccilrjyjbgyoyyyyynynyyyybmyyqrryrployyyyqqbhjhyfon8ce8yyyyycmryykymhy"
        "fyeqee8rchkyymd8fddjdmj6dnyyyyyyhyypyqqkiqnyhyynijdjgyyhqd9ddqblam3a9yyjdhaiebyajd9fca6bfh9a4cai999nnyyyyyyy6e"
        "dyyyfy4iheygqk8rgdchljebbbbdddjyyyyyyyyq7kiyyyqygpygylyofylngkyygbjgeyylmyyyyyyyyycheyyynycmo9ylkrhyekbiqolyde"
        "imgioyyqyyyyyygmkyyyyyjyykynnyjynycfyylrbgyyyliyyyyyyyyy4cayyyyi9kjggyqgdy9nfgjnylhbgbfnhqqyyyyyyyfkmyyyyyeyyy"
        "qiyyfynkhoyyyomlimmkyyyyyyyyyy8ccyyyfyhgbkygofiyrnehiryrnjlydgnyyyyyyyyydcqyyyyyeygd9i9e5bdccdhib34g7o8ghyyyyy"
        "yyyy",
    ),
    # 2 languages
    "thai": (
        "กขคงจชดตทธนบปพมยรลวศสหอะัาำิีืุูเแโใไ็่้",
        "ycc9eydnhh8yndhkejfyhjebdyyyyyyyyya8cdgyyyc9bhkcifjkekdhjyhbkdnhecffj6y9fdgbkeyykybeh9bh8khkdffyjhdygkachigyhy"
        "94eegykyfgyknheiydyyyyyyyjnyynyyyyyykyyy8ydhyyknyyyyyyynk8igjychyyhnyy8nyyby9b7ynnnifgihyycjnnyyyygkbcae9heeha"
        "ekefbidgfjfiadbyydynykyyacfedyyyhhgjyyyyygnyiyyyyygyyykyy6fackyykykiyjkkngkhyyyyykyyyyayyyyykyyyyynyj8yfeehyyk"
        "yyyyggajigyhfyyfeyfykyh8hkyyfihyfdhdeyyidjjgfiy7kghnyyiyyyiyaykyyhdykyyyjyeby8nyjyynynyeabninynyyyyyy6jyyyyhdy"
        "ycyyyyb9bk5y8yyyykyydhykyyyyyyyyyyyyyyyybyyykyyyyhk6hynyyyyyyyyy8a9dbiehdcbefede9efifhcdbhcbkebfbk9bdddykehfdk"
        "ckyyyjfyhhikynbynjghkybjnnkkbhhhnhyykyibgyyykyynyyyyyyyy7ghynyyknyygyyyyyjyji8iyfnyfyykynkhyynynyfihykikgyeknd"
        "hcykheyfyyynbdafaynhjhdybiihdibnhjehdyf9ye7fhebcefjyakccejheicngdiiifhdnejgkfkcyhdygjkeceeyeiybne8deeeficfekki"
        "dcaf8dedaka67cncf9kjbdygghdeeigjyfhyyjhjyifyyyiyiykyn5cehghdfiiiydyydjenhyyeyynnyyfnyybbegyyjgnkd8ydyynykijnhy"
        "9dfcyhyyfyyhyyyynyyyfykyynjyddyijyyyyjyjnyyyegyyygnyginkeyyyay8yhyyegyadd6iiffnnyyyydyyhyyyyyykjyybyfnci8bdyny"
        "yyieyyyyyyyyyyygab9d9jg5fghhhkcdiycajjfidyeyabe9kdyyfykfnyykgc9hdyebhcaykgjjdhenhhcbbyyyyyyyyy8ddcbyyyyaayy9nk"
        "cbny78ygkfyydykynyyyyyyyyyyyyyyyd9bd9hc7bae9ch8gh9694gcccghnyyyyyyyydfnfjyyyyjeyihynnnyydnnhyjijyyychyyyyyyyyy"
        "cynykyyycacikfejad5ecciyckyikh9gnyyyyyyyyyfdnbeyenkjehhyykyygyykkhyayjgn8kgyyyyyyyyykjyjny5ayyyyyyyyyyyyjnyyyy"
        "yyyyyy7yyyyyyyyyyyyyyy9dka8kbyyyfgkyyyhyfkyyyykyyyyyyyyyyynnyyyyfdykdyyikkkyyyyyjyyyifyyyyyyyyyyyyyyyiyyyybeye"
        "ddejfdfe9yei8cfngdgibcdyyyyyyyyyyyyyyyyyyjgnyynyffeyiiykykg5nyfayyyyyyyyyyyyyyyyyyyyyyyyyy8yiyhyyyyfyiyyyknyyy"
        "yyyyyyyyyyyyyyyyyyyyfg9hyy6yyyyyyyyyycyyyyyyyyyyyyyyyyyyyyykyyyy8iyyyyeyaynyeyynyyyyyyyyyyyyyyyyyyyyiyyngyyyyy"
        "8kyyeyyyyyyyyyyyyyyyyyyjyyyyyyiheig78yghiybhiydfih9ngn7yy6kyyyyydnkdcyyyahfhhbfyykiyakhybkaycyen7yy9yyyyyyfhyg"
        "kyyy",
    ),
}
