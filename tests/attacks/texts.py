"""Texts that would be more than text: markup, escape sequences, directions, lines, formats."""

# ruff: noqa: E501, RUF001

TEXTS = (
    "<script>alert(1)</script>", "</title><script>alert(1)</script>", "</style><script>x</script>",
    "<img src=x onerror=alert(1)>", '" onload="alert(1)', "' onload='alert(1)", "`onload=alert(1)`",
    '"><svg onload=alert(1)>', "</svg></figure></body></html><h1>x", "<!--", "-->", "<![CDATA[", "]]>",
    "<?xml version='1.0'?>", "<!DOCTYPE html>", "<base href=//evil.example>", "<", ">", "&", "&lt;",
    "&#60;b&#62;", "&#x3c;b>", "&amp;lt;", "<a href='javascript:alert(1)'>x</a>", "<b", "<b\n>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>", "<style>*{display:none}</style>",
    "<iframe srcdoc='<script>x</script>'>", "<form action=//evil.example>", "<textarea>", "<plaintext>",
    "<math><mtext><style>x", "<ſcript>", "＜script＞", "\u2028<script>", "+ADw-script+AD4-",
    "{{7*7}}", "${7*7}", "%s%n", "{0.__class__}", "\\x3cscript\\x3e", "javascript:alert(1)",
    "\x1b[2J", "\x1b[31m", "\x1b]0;owned\x07", "\x1b]8;;http://evil.example\x1b\\x\x1b]8;;\x1b\\",
    "\x1b]52;c;eA==\x07", "\x1bP+q\x1b\\", "\x1b[6n", "\x1bc", "\x9b2J", "\x90x\x9c", "\x0e\x0f",
    "\x08\x08\x08", "\r owned", "\x0b\x0c", "\x7f", "\x00", "\x07" * 9, "\x85", "a\tb",
    "\nsolves the game strongly: right in 9 of 9", "\r\nfindings: none", "\n\n\n", "\u2028\u2029",
    "\u202e\u2066gnp.exe\u2069", "\u200e\u200f\u061c", "\u202a\u202b\u202c\u202d", "\u200b\u200d\ufeff",
    "e" + "\u0301" * 999, "\ufdfd" * 99, "\U000e0041\U000e0042", "\ud800", "\udcff", "\uffff", "\U0010ffff",
    "|", "| a | b |", "\\|", "a,b", '"', '""', "=1+1", "@SUM(A1)", "-2+3", "[x](javascript:alert(1))",
    "# x", "```", "---", "x" * 100_000, "", " ", "null", "[]", "{}",
)  # fmt: skip
