"""`arena schema`: what editors check a tournament's file by."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import arena
from arena.config.document import parse
from arena.config.model import schema

ROOT = Path(__file__).resolve().parent.parent
CONFIGS = sorted((ROOT / "configs").glob("*.yaml"))


def objects(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of a schema."""
    if isinstance(node, dict):
        yield node
        for inner in node.values():
            yield from objects(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from objects(inner)


def fits(value: Any, node: dict[str, Any], root: dict[str, Any]) -> bool:
    """Tell whether a value fits a schema, by the few words that ours uses; an unknown word fails."""
    kinds = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "number": (int, float),
        "boolean": bool,
    }
    for word, wanted in sorted(node.items(), key=lambda item: item[0] != "type"):
        match word:
            case "$ref":
                target = root["$defs"][wanted.removeprefix("#/$defs/")]
                good = fits(value, target, root)
            case "type":
                good = isinstance(value, kinds[wanted]) and (
                    wanted == "boolean" or not isinstance(value, bool)
                )
            case "enum":
                good = value in wanted
            case "anyOf":
                good = any(fits(value, choice, root) for choice in wanted)
            case "required":
                good = all(key in value for key in wanted)
            case "properties":
                good = all(fits(value[key], inner, root) for key, inner in wanted.items() if key in value)
            case "additionalProperties":
                rest = [key for key in value if key not in node.get("properties", {})]
                good = not rest if wanted is False else all(fits(value[key], wanted, root) for key in rest)
            case "items":
                good = all(fits(item, wanted, root) for item in value)
            case "pattern":
                good = re.search(wanted, value) is not None
            case "minimum":
                good = value >= wanted
            case "maximum":
                good = value <= wanted
            case "minLength" | "minItems":
                good = len(value) >= wanted
            case "maxLength" | "maxItems" | "maxProperties":
                good = len(value) <= wanted
            case "$schema" | "$defs" | "title" | "description" | "default":
                good = True
            case _:
                raise AssertionError(f"the test does not know {word}")
        if not good:
            return False
    return True


def test_command_prints_json() -> None:
    """The command prints one JSON object, the schema."""
    done = CliRunner().invoke(arena, ["schema"])
    assert done.exit_code == 0
    assert json.loads(done.stdout) == json.loads(json.dumps(schema()))


def test_every_key_is_described() -> None:
    """Editors show a description for every key, and refuse keys that there are not."""
    found = [node for node in objects(schema()) if isinstance(node.get("properties"), dict)]
    assert len(found) == 7
    for node in found:
        assert node["additionalProperties"] is False
        for name, key in node["properties"].items():
            assert key["description"].endswith("."), name


@pytest.mark.parametrize("path", CONFIGS, ids=[path.stem for path in CONFIGS])
def test_configurations_fit(path: Path) -> None:
    """Every configuration that comes with the arena fits the schema."""
    assert fits(parse(path.read_text()).value, schema(), schema())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("playrs", 2),
        ("players", 1),
        ("workers", "some"),
        ("clock", {"move": 5}),
        ("clock", {"move": "5"}),
        ("bots", []),
        ("bots", [{"name": "a b", "command": "x"}]),
        ("bots", [{"name": "a"}]),
        ("schedule", {"format": "league"}),
        ("ratings", {"prior": "some"}),
        ("limits", {"cpu": "0"}),
    ],
)
def test_mistakes_do_not_fit(key: str, value: Any) -> None:
    """What the arena refuses in a single key, the schema refuses too."""
    right = {"game": "rain", "bots": [{"name": "a", "command": "x"}, {"name": "b", "command": ["x"]}]}
    assert fits(right, schema(), schema())
    assert not fits({**right, key: value}, schema(), schema())
