"""Encrypted documents: which password fits, and what stands behind the encryption of Office, OpenDocument and ZIP files.

Nothing here is imported before a document is met that is encrypted.
"""
