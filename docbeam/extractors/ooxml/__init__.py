"""Office Open XML (ECMA-376, ISO/IEC 29500): Word, Excel and PowerPoint files, read from the parts of their package."""
