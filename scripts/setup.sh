#!/bin/sh
# Set up what docbeam needs: a virtual environment with the package, and Tesseract for OCR.
# What needs root and can't be had is named with the line to type; the native branch runs without it.
set -eu
venv=${1:-.venv}
python=${PYTHON:-python3}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "docbeam needs Python 3.11 or newer; $python is $("$python" --version 2>&1). Try: make PYTHON=python3.11 $venv" >&2
    exit 1
}
if ! "$python" -m venv "$venv" 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv >/dev/null
        "$python" -m venv "$venv"
    else
        echo "Python's venv module is missing. Type:  sudo apt-get install python3-venv" >&2
        exit 1
    fi
fi
echo "Installing docbeam into $venv ..."
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade pip
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable '.[dev]'

if command -v tesseract >/dev/null; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing Tesseract ..."
    if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq tesseract-ocr tesseract-ocr-osd >/dev/null; then
        exit 0
    fi
fi
echo "Tesseract is not installed: pictures and scanned pages go to quarantine as needs_ocr, all else works." >&2
echo "To read them too, type:  sudo apt-get install tesseract-ocr" >&2
