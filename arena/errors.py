"""The errors that the arena shows to people.

    ArenaError              shown as one message without a traceback
    ├── UserError           the user's mistake: exit status 2
    │   └── ConfigError     a wrong tournament file, one line for each mistake (config.py)
    ├── CheckFailed         a check, comparison or verification failed: exit status 1
    └── Stopped             ended by a signal with all finished games saved: exit status 3

A bot's fault is never an exception: it is a `Fault` (match.py). A bug of ours is any other exception,
and nobody catches it.
"""

from __future__ import annotations


class ArenaError(Exception):
    """Something to be told to the user in a sentence; the text is the message."""

    exit_status = 1


class UserError(ArenaError):
    """The user asked for something that cannot be done."""

    exit_status = 2


class CheckFailed(ArenaError):
    """What was to be checked does not hold."""

    exit_status = 1


class Stopped(ArenaError):
    """A signal ended the work; everything finished is saved."""

    exit_status = 3
