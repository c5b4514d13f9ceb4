"""The media types that docbeam knows by name: what sniffing can answer and what the registry maps to extractors.

Source: IANA media types; ECMA-376-2 and [MS-OFFMACRO2] for Office; Apache Tika's names where IANA has none.
"""

from __future__ import annotations

OOXML = "application/vnd.openxmlformats-officedocument."
ODF = "application/vnd.oasis.opendocument."


class MediaType:
    """Media types as IANA writes them, and the groups that one extractor reads."""

    EMPTY = "application/x-empty"
    UNKNOWN_BINARY = "application/octet-stream"
    PLAIN = "text/plain"
    MARKDOWN = "text/markdown"
    HTML = "text/html"
    XHTML = "application/xhtml+xml"
    CSV = "text/csv"
    TSV = "text/tab-separated-values"
    JSON = "application/json"
    JSON_LINES = "application/x-ndjson"
    NOTEBOOK = "application/x-ipynb+json"
    XML = "application/xml"
    YAML = "application/yaml"
    TOML = "application/toml"
    INI = "text/x-ini"
    SVG = "image/svg+xml"
    CALENDAR = "text/calendar"
    VCARD = "text/vcard"
    EML = "message/rfc822"
    MBOX = "application/mbox"
    RTF = "application/rtf"
    POSTSCRIPT = "application/postscript"
    PDF = "application/pdf"
    DOCX = OOXML + "wordprocessingml.document"
    XLSX = OOXML + "spreadsheetml.sheet"
    PPTX = OOXML + "presentationml.presentation"
    XLSB = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
    ENCRYPTED_OOXML = "application/x-encrypted-ooxml"
    DOC = "application/msword"
    XLS = "application/vnd.ms-excel"
    PPT = "application/vnd.ms-powerpoint"
    MSG = "application/vnd.ms-outlook"
    OLE2 = "application/x-ole-storage"
    WORDPERFECT = "application/vnd.wordperfect"
    ODT = ODF + "text"
    ODS = ODF + "spreadsheet"
    ODP = ODF + "presentation"
    ODG = ODF + "graphics"
    EPUB = "application/epub+zip"
    ZIP = "application/zip"
    KMZ = "application/vnd.google-earth.kmz"
    GZIP = "application/gzip"
    BZIP2 = "application/x-bzip2"
    XZ = "application/x-xz"
    LZMA = "application/x-lzma"
    TAR = "application/x-tar"
    WARC = "application/warc"
    PNG = "image/png"
    JPEG = "image/jpeg"
    TIFF = "image/tiff"
    WEBP = "image/webp"
    BMP = "image/bmp"
    GIF = "image/gif"
    JPEG2000 = "image/jp2"
    AVIF = "image/avif"
    HEIC = "image/heic"

    WORD: tuple[str, ...] = (
        DOCX,
        OOXML + "wordprocessingml.template",
        "application/vnd.ms-word.document.macroenabled.12",
        "application/vnd.ms-word.template.macroenabled.12",
    )
    SPREADSHEET: tuple[str, ...] = (
        XLSX,
        OOXML + "spreadsheetml.template",
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.ms-excel.template.macroenabled.12",
    )
    PRESENTATION: tuple[str, ...] = (
        PPTX,
        OOXML + "presentationml.template",
        OOXML + "presentationml.slideshow",
        "application/vnd.ms-powerpoint.presentation.macroenabled.12",
        "application/vnd.ms-powerpoint.template.macroenabled.12",
        "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
    )
    OPEN_DOCUMENT: tuple[str, ...] = (
        *(ODT, ODS, ODP, ODG),
        *(ODF + "text-template", ODF + "text-master", ODF + "text-web"),
        *(ODF + "spreadsheet-template", ODF + "presentation-template", ODF + "graphics-template"),
        *(ODF + "text-flat-xml", ODF + "spreadsheet-flat-xml", ODF + "presentation-flat-xml", ODF + "graphics-flat-xml"),
    )
    ZIPS: tuple[str, ...] = (ZIP, KMZ)
    ARCHIVES: tuple[str, ...] = (*ZIPS, TAR, WARC, GZIP, BZIP2, XZ, LZMA)
    TNEF: tuple[str, ...] = ("application/vnd.ms-tnef", "application/ms-tnef")
    PICTURES: tuple[str, ...] = (PNG, JPEG, TIFF, WEBP, BMP, GIF, JPEG2000, AVIF, HEIC)
    TEXTS: tuple[str, ...] = ()  # every type that is read as plain text; filled below, with the source code types


SOURCE_CODE = {
    "text/x-python": "py pyw pyi", "text/x-java": "java", "text/x-groovy": "groovy gradle", "text/x-kotlin": "kt kts",
    "text/x-scala": "scala sc", "text/x-csrc": "c", "text/x-chdr": "h", "text/x-c++src": "cpp cxx cc c++",
    "text/x-c++hdr": "hpp hxx hh h++", "text/x-csharp": "cs", "text/x-fsharp": "fs fsx fsi", "text/x-go": "go",
    "text/x-rust": "rs", "text/x-swift": "swift", "text/x-objcsrc": "m mm", "text/x-php": "php phtml", "text/x-ruby": "rb rake",
    "text/x-perl": "pl pm", "text/x-lua": "lua", "text/x-r": "r", "text/x-julia": "jl", "text/x-haskell": "hs lhs",
    "text/x-ocaml": "ml mli", "text/x-erlang": "erl hrl", "text/x-elixir": "ex exs", "text/x-clojure": "clj cljs edn",
    "text/x-lisp": "lisp lsp el", "text/x-scheme": "scm", "text/x-pascal": "pas", "text/x-fortran": "f f90 f95 for",
    "text/x-cobol": "cob cbl", "text/x-vbasic": "vb bas vbs", "text/x-assembly": "asm s", "text/x-dart": "dart",
    "text/x-sql": "sql ddl", "text/x-sh": "sh bash zsh ksh", "text/x-powershell": "ps1 psm1 psd1", "text/x-bat": "bat cmd",
    "text/x-makefile": "mk mak", "text/x-cmake": "cmake", "text/x-awk": "awk", "text/x-tcl": "tcl", "text/x-verilog": "v sv",
    "text/x-vhdl": "vhd vhdl", "text/javascript": "js mjs cjs jsx", "text/x-typescript": "ts tsx mts cts", "text/css": "css",
    "text/x-scss": "scss", "text/x-less": "less", "text/x-coffeescript": "coffee", "text/x-vue": "vue",
    "text/x-jsp": "jsp jspx", "text/asp": "asp aspx", "text/x-protobuf": "proto", "text/x-terraform": "tf tfvars hcl",
    "text/x-diff": "diff patch", "text/x-graphql": "graphql gql", "text/x-matlab": "mlx", "text/x-dockerfile": "dockerfile",
}  # fmt: skip

# Structured or marked-up text that is read as it is written.
OTHER_TEXTS = {
    MediaType.PLAIN: "txt text log asc nfo diz out err readme", MediaType.MARKDOWN: "md markdown mdown mkd mkdn mdx qmd rmd",
    MediaType.JSON: "json geojson webmanifest har topojson jsonld json5 avsc",
    MediaType.JSON_LINES: "jsonl ndjson jsonlines ldjson",
    MediaType.YAML: "yaml yml", MediaType.TOML: "toml",
    MediaType.INI: "ini cfg conf cnf properties env editorconfig inf reg desktop",
    "text/x-rst": "rst rest", "text/x-tex": "tex ltx sty cls latex", "text/x-bibtex": "bib", "text/x-asciidoc": "adoc asciidoc",
    "text/x-org": "org", "text/x-textile": "textile", "text/x-gettext-translation": "po pot", "text/troff": "man roff",
    "application/x-subrip": "srt", "text/vtt": "vtt", "text/x-wiki": "wiki mediawiki",
    "application/x-research-info-systems": "ris",
}  # fmt: skip

MediaType.TEXTS = (*OTHER_TEXTS, *SOURCE_CODE)

# Types that are text inside, but that no extractor reads as they are written.
STRUCTURED_TEXTS = {
    MediaType.XML: "xml xsd xsl xslt rss atom rdf owl dtd wsdl kml gpx xlf xliff tei dbk fb2 plist resx pom xmp",
    MediaType.HTML: "html htm shtml", MediaType.XHTML: "xhtml xht", MediaType.CSV: "csv", MediaType.TSV: "tsv tab",
    MediaType.NOTEBOOK: "ipynb", MediaType.SVG: "svg", MediaType.CALENDAR: "ics ical ifb", MediaType.VCARD: "vcf vcard",
    MediaType.EML: "eml emlx mht mhtml mime", MediaType.MBOX: "mbox mbx",
    ODF + "text-flat-xml": "fodt", ODF + "spreadsheet-flat-xml": "fods", ODF + "presentation-flat-xml": "fodp",
    ODF + "graphics-flat-xml": "fodg",
}  # fmt: skip

BINARIES = {
    MediaType.PDF: "pdf", MediaType.RTF: "rtf", MediaType.POSTSCRIPT: "ps eps",
    MediaType.WORD[0]: "docx", MediaType.WORD[1]: "dotx", MediaType.WORD[2]: "docm", MediaType.WORD[3]: "dotm",
    MediaType.SPREADSHEET[0]: "xlsx", MediaType.SPREADSHEET[1]: "xltx", MediaType.SPREADSHEET[2]: "xlsm",
    MediaType.SPREADSHEET[3]: "xltm", MediaType.XLSB: "xlsb",
    MediaType.PRESENTATION[0]: "pptx", MediaType.PRESENTATION[1]: "potx", MediaType.PRESENTATION[2]: "ppsx",
    MediaType.PRESENTATION[3]: "pptm", MediaType.PRESENTATION[4]: "potm", MediaType.PRESENTATION[5]: "ppsm",
    "application/vnd.ms-excel.addin.macroenabled.12": "xlam", "application/vnd.ms-powerpoint.addin.macroenabled.12": "ppam",
    MediaType.DOC: "doc dot", MediaType.XLS: "xls xlt xla xlw", MediaType.PPT: "ppt pps", MediaType.MSG: "msg",
    "application/vnd.visio": "vsd vss vst", "application/vnd.ms-visio.drawing": "vsdx", "application/vnd.ms-project": "mpp",
    "application/vnd.ms-publisher": "pub", "application/vnd.ms-works": "wps wks wdb", "application/vnd.hancom.hwp": "hwp",
    "application/vnd.hancom.hwpx": "hwpx", "application/x-msi": "msi", "application/onenote": "one",
    MediaType.WORDPERFECT: "wpd wp wp5 wp6", "application/vnd.lotus-1-2-3": "wk1 wk3 wk4 123",
    "application/vnd.lotus-wordpro": "lwp",
    MediaType.ODT: "odt", MediaType.ODS: "ods", MediaType.ODP: "odp", MediaType.ODG: "odg",
    ODF + "graphics-template": "otg", ODF + "formula": "odf",
    ODF + "chart": "odc", ODF + "text-template": "ott", ODF + "spreadsheet-template": "ots",
    ODF + "presentation-template": "otp",
    ODF + "text-master": "odm", ODF + "database": "odb", "application/vnd.sun.xml.writer": "sxw",
    "application/vnd.sun.xml.calc": "sxc",
    "application/vnd.sun.xml.impress": "sxi", MediaType.EPUB: "epub", "application/x-mobipocket-ebook": "mobi azw azw3 prc",
    "application/vnd.apple.pages": "pages", "application/vnd.apple.numbers": "numbers", "application/vnd.apple.keynote": "key",
    "application/vnd.ms-xpsdocument": "xps oxps", "image/vnd.djvu": "djvu djv", "application/vnd.ms-htmlhelp": "chm",
    MediaType.ZIP: "zip", "application/java-archive": "jar war ear", "application/vnd.android.package-archive": "apk",
    MediaType.KMZ: "kmz", MediaType.GZIP: "gz tgz svgz emz wmz", MediaType.BZIP2: "bz2 tbz2 tbz",
    MediaType.XZ: "xz txz", MediaType.LZMA: "lzma tlz",
    "application/zstd": "zst", "application/x-7z-compressed": "7z", "application/vnd.rar": "rar",
    MediaType.TAR: "tar",
    MediaType.WARC: "warc",
    "application/vnd.ms-cab-compressed": "cab", "application/x-lzip": "lz", "application/x-cpio": "cpio",
    "application/vnd.ms-tnef": "tnef", "application/vnd.ms-outlook-pst": "pst ost", "application/x-iso9660-image": "iso",
    MediaType.PNG: "png", MediaType.JPEG: "jpg jpeg jpe jfif", MediaType.TIFF: "tif tiff", MediaType.WEBP: "webp",
    MediaType.BMP: "bmp dib", MediaType.GIF: "gif", "image/jp2": "jp2 j2k jpx jpf", "image/heic": "heic heif",
    "image/avif": "avif", "image/jxl": "jxl", "image/vnd.microsoft.icon": "ico cur", "image/vnd.adobe.photoshop": "psd",
    "image/emf": "emf", "image/wmf": "wmf", "image/x-portable-anymap": "pnm pbm pgm ppm", "image/vnd.zbrush.pcx": "pcx",
    "image/x-tga": "tga", "image/vnd.dwg": "dwg", "application/dicom": "dcm",
    "audio/mpeg": "mp3", "audio/wav": "wav", "audio/flac": "flac", "audio/ogg": "ogg oga opus", "audio/mp4": "m4a",
    "audio/aiff": "aif aiff",
    "audio/midi": "mid midi", "audio/amr": "amr", "audio/aac": "aac",
    "video/mp4": "mp4 m4v", "video/quicktime": "mov", "video/x-msvideo": "avi", "video/x-matroska": "mkv", "video/webm": "webm",
    "video/mpeg": "mpg mpeg", "video/x-flv": "flv", "video/x-ms-asf": "wmv asf wma", "video/3gpp": "3gp",
    "font/ttf": "ttf", "font/otf": "otf", "font/woff": "woff", "font/woff2": "woff2", "font/collection": "ttc",
    "application/vnd.microsoft.portable-executable": "exe dll sys scr", "application/x-elf": "so o elf",
    "application/x-mach-binary": "dylib",
    "application/java-vm": "class", "application/wasm": "wasm", "application/x-python-code": "pyc",
    "application/x-sharedlib": "a",
    "application/vnd.sqlite3": "sqlite sqlite3 db", "application/vnd.apache.parquet": "parquet",
    "application/x-hdf5": "h5 hdf5",
    "application/vnd.apache.arrow.file": "arrow feather", "application/vnd.apache.avro": "avro",
    "application/x-msaccess": "mdb accdb",
    "application/x-shockwave-flash": "swf", "application/x-ms-shortcut": "lnk", "application/x-dbf": "dbf",
    "application/x-npy": "npy",
    "application/x-apple-bplist": "bplist", "application/pgp-encrypted": "pgp gpg",
}  # fmt: skip

IS_TEXT = frozenset((*MediaType.TEXTS, *STRUCTURED_TEXTS))  # types whose files are made of text
BY_EXTENSION: dict[str, str] = {
    f".{extension}": media_type
    for table in (BINARIES, OTHER_TEXTS, SOURCE_CODE, STRUCTURED_TEXTS)
    for media_type, extensions in table.items()
    for extension in extensions.split()
}

# Types that share an extension or a program, so that one under the other's name is nobody's mistake.
_KINDS: tuple[tuple[str, ...], ...] = (
    MediaType.WORD,
    (*MediaType.SPREADSHEET, MediaType.XLSB),
    MediaType.PRESENTATION,
    ("audio/mp4", "video/mp4", "video/quicktime", "video/3gpp"),
    ("video/x-matroska", "video/webm"),
    ("image/heic", "image/avif"),
    (MediaType.ZIP, "application/java-archive", "application/vnd.android.package-archive", "application/vnd.google-earth.kmz"),
    ("font/ttf", "font/otf", "font/collection"),
    ("application/x-elf", "application/x-sharedlib", "application/x-mach-binary"),
)
KIND = {media_type: members[0] for members in _KINDS for media_type in members} | dict.fromkeys(IS_TEXT, "text")


def is_contradiction(declared: str | None, found: str) -> bool:
    """Say whether a file whose extension says `declared` should not be `found`; kinds of text never contradict each other."""
    if declared is None or found == MediaType.EMPTY:
        return False
    return KIND.get(declared, declared) != KIND.get(found, found)
