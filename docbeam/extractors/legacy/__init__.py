"""Office documents from before Open XML, and Excel's binary package: DOC, XLS, PPT and XLSB by their published structures."""
