"""Tesseract as a library that stays loaded between pages (tesserocr, the extra of that name).

It saves the start of a program and the loading of its language files at each page. The price: whatever a page does to it,
it does to this process. A page that hangs or crashes takes the sandbox's child along, which is what that is for.

Source: tesseract's baseapi.h; https://github.com/sirfz/tesserocr.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from docbeam.extractors.extras import require_extra
from docbeam.extractors.ocr.protocol import Orientation, Recognised
from docbeam.extractors.ocr.tesseract import ORIENTATION_DATA, SETTINGS, sane_dpi
from docbeam.extractors.ocr.word_table import recognised
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

if TYPE_CHECKING:
    from PIL.Image import Image

MODULE = EXTRA = "tesserocr"
QUIET = {"debug_file": "/dev/null"}  # a child's output is evidence of what went wrong, not a log
MOST_LOADED = 3  # sets of languages that stay loaded: some 30 MB each
LANGUAGE_SUFFIX = ".traineddata"
UNKNOWN_DPI = 0  # lets Tesseract estimate it


class ResidentEngine:
    """The library, with each set of languages loaded once. For one thread."""

    name = MODULE

    def __init__(self, data_folder: str) -> None:
        """Raises ExtractionError if the package is missing or does not load."""
        self._library: Any = require_extra(MODULE, EXTRA, "resident OCR engines")
        tesseract = self._library.tesseract_version().split("\n")[0].removeprefix("tesseract").strip()
        self.version = f"{version(MODULE)} with tesseract {tesseract}"
        self.data_folder: str | None = data_folder
        self.languages = tuple(sorted(_languages(data_folder)))
        self._loaded: OrderedDict[tuple[str, int], Any] = OrderedDict()

    def recognise(
        self, image: Image, languages: str, timeout_seconds: float, *, is_sparse: bool = False, with_boxes: bool = False
    ) -> Recognised:
        """Return the text of an image; see OcrEngine."""
        mode = self._library.PSM.SPARSE_TEXT if is_sparse else self._library.PSM.AUTO
        api = self._api(languages, self._library.OEM.DEFAULT, mode)
        try:
            _give(api, image)
            if not api.Recognize(max(round(timeout_seconds * 1000), 1)):
                message = f"tesseract did not end within {timeout_seconds:.1f} seconds"
                raise ExtractionError(ErrorCategory.TIMEOUT, message)
            table = api.GetTSVText(0)
        except RuntimeError as error:
            raise ExtractionError(ErrorCategory.CRASHED, f"tesserocr: {error}") from error
        finally:
            _forget(api)
        return recognised(table, image.size, languages, with_boxes=with_boxes)

    def orientation(self, image: Image, timeout_seconds: float) -> Orientation | None:
        """Return what orientation detection finds; None without osd.traineddata or with too few letters."""
        if ORIENTATION_DATA not in self.languages:
            return None
        api = self._api(ORIENTATION_DATA, self._library.OEM.DEFAULT, self._library.PSM.OSD_ONLY)
        try:
            _give(api, image)
            found = api.DetectOrientationScript()
        except RuntimeError:
            return None
        finally:
            _forget(api)
        if not found:
            return None
        return Orientation((360 - found["orient_deg"]) % 360, found["script_name"], float(found["script_conf"]))

    def _api(self, languages: str, engine_mode: int, mode: int) -> Any:
        """Return the library with these languages loaded, set to a mode of page segmentation."""
        key = languages, engine_mode
        if key not in self._loaded:
            while len(self._loaded) >= MOST_LOADED:
                self._loaded.popitem(last=False)[1].End()
            self._loaded[key] = self._opened(languages, engine_mode)
        self._loaded.move_to_end(key)
        self._loaded[key].SetPageSegMode(mode)
        return self._loaded[key]

    def _opened(self, languages: str, engine_mode: int) -> Any:
        settings = {**QUIET, **SETTINGS}
        try:
            return self._library.PyTessBaseAPI(path=self.data_folder, lang=languages, oem=engine_mode, variables=settings)
        except RuntimeError as error:
            raise ExtractionError(ErrorCategory.CRASHED, f"tesserocr could not load {languages}: {error}") from error


def _give(api: Any, image: Image) -> None:
    grey = image if image.mode == "L" else image.convert("L")
    api.SetImageBytes(grey.tobytes(), grey.width, grey.height, 1, grey.width)
    api.SetSourceResolution(sane_dpi(image) or UNKNOWN_DPI)


def _forget(api: Any) -> None:
    """Drop the page and all that was learnt of it: what comes next must read as in a fresh process."""
    api.Clear()
    api.ClearAdaptiveClassifier()


def _languages(folder: str) -> list[str]:
    """Return the codes of the language files in a folder and below it (`script/Latin`), as Tesseract names them."""
    found = []
    for place, _, names in os.walk(folder):
        below = os.path.relpath(place, folder)
        prefix = "" if below == os.curdir else below.replace(os.sep, "/") + "/"
        found += [prefix + name.removesuffix(LANGUAGE_SUFFIX) for name in names if name.endswith(LANGUAGE_SUFFIX)]
    return found
