"""The contract between the arena and bots, version 1: values, bytes, and the loop for Python bots.

`SPEC.md` beside this file is the normative text; `transcripts/` holds its examples. The package needs the
standard library only and knows nothing of the arena, so that a bot can take it along.
"""

from __future__ import annotations

VERSION = 1
