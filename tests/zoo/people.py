"""A well-behaved player without a process, who remembers everything; for tests of the table."""

from __future__ import annotations


class Witness:
    """Answers every question with the first legal action, at once."""

    def __init__(self) -> None:
        """Begin with nothing heard."""
        self.heard: list[str] = []
        self._moves: list[str] = []

    def __call__(self, data: bytes) -> bytes:
        """Take lines, return the answer to the last of them where it is a question."""
        answer = ""
        for line in data.decode("ascii").splitlines():
            self.heard.append(line)
            word, _, rest = line.partition(" ")
            if word == "moves":
                self._moves = rest.split(" ")
            answer = {
                "arena": "ready name=witness wants=moves",
                "start": "ready",
                "go": f"move {self._moves[0] if self._moves else ''}",
            }.get(word, "")
        return f"{answer}\n".encode() if answer else b""
