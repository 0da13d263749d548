"""Examines one bot: named trials, each with its own process, judged by the same referee as any match.

`talk` holds a process and what was said, `bout` plays a game with it, `manners` and `games` hold the trials,
`examination` runs them. Nothing here prints.
"""
