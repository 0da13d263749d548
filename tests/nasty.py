"""Strings that a hostile bot might say, used by every test of escaping (terminal, Markdown, CSV, HTML)."""

from __future__ import annotations

NASTY = (
    '"><img src=x onerror=alert(1)>',
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "javascript:alert(1)",
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }}",
    "&lt;b&gt;",
    "\x1b[2J\x1b[1;1H",  # clear the screen
    "\x1b]0;owned\x07",  # set the window's title
    "\x1b]52;c;b3duZWQ=\x07",  # write the clipboard
    "\x9b31mred",  # a control sequence introduced by a C1 byte
    "over\rwritten",
    "two\nlines",
    "tab\there",
    "nul\x00byte",
    "\u202egnp.exe",  # shown from right to left
    "line\u2028separator",
    "zero\ufeffwidth",
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "=cmd|' /C calc'!A0",
    "| a | table | cell |",
    "`code` *bold* [link](http://x.invalid)",
    "[red]rich markup[/red]",
    "a" * 5000,
)
