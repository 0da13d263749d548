"""The directions of ARCHITECTURE.md, held by reading the imports of all modules.

Nothing is imported here: modules are read as text, so that imports inside functions count like any other,
and a module that cannot be imported on this machine is held to the rules too.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Import:
    """One import as it stands in a module: what is imported, and whether only when a function runs."""

    name: str
    line: int
    late: bool


@dataclass(frozen=True)
class Module:
    """A module of the project as its text tells it."""

    name: str
    tree: ast.Module
    imports: tuple[Import, ...]

    def within(self, *packages: str) -> bool:
        """Tell whether this is one of these modules, or inside one of these packages."""
        return any(self.name == package or self.name.startswith(f"{package}.") for package in packages)


def is_type_checking(node: ast.AST) -> bool:
    """Tell whether this is `if TYPE_CHECKING:`, which no run ever enters."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def read_imports(tree: ast.AST, known: frozenset[str], late: bool = False) -> Iterator[Import]:
    """Find all imports of a module but those for the type checker alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, late)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module is not None
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield Import(full if full in known else node.module, node.lineno, late)
        elif is_type_checking(node):
            assert isinstance(node, ast.If)
            yield from read_imports(ast.Module(node.orelse, []), known, late)
        else:
            inside = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            yield from read_imports(node, known, late or inside)


@functools.cache
def modules() -> dict[str, Module]:
    """Read all modules of both packages."""
    texts = {}
    for package in ("arena", "protocol"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            texts[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path.read_text()
    known = frozenset(texts)
    trees = {name: ast.parse(text) for name, text in texts.items()}
    return {name: Module(name, tree, tuple(read_imports(tree, known))) for name, tree in trees.items()}


def own(module: Module) -> Iterator[Import]:
    """Return what a module imports of the project itself."""
    return (found for found in module.imports if found.name.split(".")[0] in ("arena", "protocol"))


def breaches(
    forbidden: set[str], but: tuple[str, ...] = (), among: tuple[str, ...] = ("arena", "protocol")
) -> list[str]:
    """Return who imports what of the forbidden, late imports included, apart from those who may."""
    return [
        f"{module.name}:{found.line} imports {found.name}"
        for module in modules().values()
        if module.within(*among) and not module.within(*but)
        for found in module.imports
        if found.name in forbidden or found.name.split(".")[0] in forbidden
    ]


def uses(module: Module, base: str, names: set[str]) -> list[str]:
    """Return where a module uses `base.name` for one of the names."""
    return [
        f"{module.name}:{node.lineno} uses {base}.{node.attr}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == base
        and node.attr in names
    ]


def calls(module: Module, names: set[str]) -> list[str]:
    """Return where a module calls one of these built-in functions."""
    return [
        f"{module.name}:{node.lineno} calls {node.func.id}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    ]


# What makes a module impure: the system, clocks, processes, the network, the terminal.
IMPURE = {
    "asyncio", "click", "concurrent", "ctypes", "datetime", "fcntl", "glob", "io", "logging", "mmap",
    "multiprocessing", "os", "resource", "rich", "select", "selectors", "shutil", "signal", "socket",
    "sqlite3", "subprocess", "sys", "tempfile", "termios", "threading", "time", "tty", "urllib", "yaml",
}  # fmt: skip
PURE = (
    "arena.errors", "arena.escape", "arena.match", "arena.games", "arena.effects", "arena.seat",
    "arena.referee", "arena.schedule", "arena.ratings", "arena.tally", "protocol.messages",
    "protocol.connection", "protocol.hints",
)  # fmt: skip

# The door to the operating system's processes. The guardian and confine.py run as programs of their own
# in front of a bot: the one forks it, the other becomes it.
DOOR = ("arena.process", "arena.guardian", "arena.confine")
STARTERS = {
    "fork", "forkpty", "posix_spawn", "posix_spawnp", "system", "popen", "startfile",
    "execl", "execle", "execlp", "execlpe", "execv", "execve", "execvp", "execvpe",
    "spawnl", "spawnle", "spawnlp", "spawnlpe", "spawnv", "spawnve", "spawnvp", "spawnvpe",
}  # fmt: skip

# From the ground up: what stands in a layer imports only from layers below it, or within its own package.
# A module that no layer names belongs to the one marked by "arena": what a run is made of.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("protocol",),
    ("arena.errors", "arena.escape"),
    ("arena.match", "arena.games"),
    ("arena.effects", "arena.seat"),
    ("arena.referee",),
    ("arena.guardian", "arena.confine", "arena.launch"),
    ("arena.process",),
    ("arena.errand", "arena.player", "arena.preflight", "arena.sitting"),
    ("arena.driver",),
    ("arena",),
    ("arena.commands",),
    ("arena.cli", "arena.__main__"),
)


def layer(name: str) -> int:
    """Return the layer of a module: the one that names it most closely."""
    best = max(
        (len(prefix), number)
        for number, prefixes in enumerate(LAYERS)
        for prefix in prefixes
        if name == prefix or name.startswith(f"{prefix}.")
    )
    return best[1]


def test_the_test_reads_what_it_should() -> None:
    """Imports in functions are found and marked, those for the type checker are not."""
    tree = ast.parse(
        "import a\nif TYPE_CHECKING:\n    import b\nelse:\n    import c\n"
        "def f():\n    from d.e import g\n    from d import e\n"
    )
    found = list(read_imports(tree, frozenset({"d.e"})))
    assert [(i.name, i.late) for i in found] == [("a", False), ("c", False), ("d.e", True), ("d.e", True)]
    assert {"arena.match", "arena.games.base", "protocol.connection"} <= set(modules())
    assert layer("arena") > layer("arena.driver") > layer("arena.games.base") > layer("protocol.bot")


def test_the_protocol_needs_only_the_standard_library() -> None:
    """A bot can take the package along: it imports nothing of the arena and nothing installed."""
    allowed = set(sys.stdlib_module_names) | {"protocol"}
    foreign = [
        f"{module.name}:{found.line} imports {found.name}"
        for module in modules().values()
        if module.within("protocol")
        for found in module.imports
        if found.name.split(".")[0] not in allowed
    ]
    assert foreign == []


def test_the_core_has_no_io() -> None:
    """Rules, referee, schedule, ratings and the conversation import nothing that touches the world."""
    assert breaches(IMPURE, among=PURE) == []
    assert [
        found for m in modules().values() if m.within(*PURE) for found in calls(m, {"open", "print"})
    ] == []


def test_one_door_starts_processes() -> None:
    """Only process.py, and the programs that it puts in front of bots, start anything."""
    assert breaches({"subprocess", "pty"}, but=DOOR) == []
    others = [m for m in modules().values() if not m.within(*DOOR)]
    assert [found for module in others for found in uses(module, "os", STARTERS)] == []


def test_workers_are_the_runs_business() -> None:
    """Worker processes exist on the tournament's side only; nothing below a run knows of them."""
    below = tuple(name for name in modules() if layer(name) < layer("arena"))
    assert breaches({"multiprocessing", "concurrent", "distributed"}, among=below) == []


def test_no_event_loop_and_no_threads_touch_a_match() -> None:
    """Below a run everything happens in one thread, in the order in which it stands."""
    below = tuple(name for name in modules() if layer(name) < layer("arena"))
    assert breaches({"asyncio", "threading"}, among=below) == []


def test_one_reader_of_clocks() -> None:
    """Only driver.py reads a clock; everybody else is given the time."""
    assert breaches({"time"}, but=("arena.driver",)) == []
    readers = [
        uses(m, base, {"now", "utcnow", "today"}) for m in modules().values() for base in ("datetime", "date")
    ]
    assert [found for reader in readers for found in reader] == []


def test_one_reader_of_yaml() -> None:
    """Only config reads YAML, so that there is one place where files are trusted."""
    assert breaches({"yaml"}, but=("arena.config",)) == []


def test_nobody_loads_pickles() -> None:
    """No file that somebody hands around can run code."""
    assert breaches({"pickle", "marshal", "shelve", "dill", "cloudpickle"}) == []


def test_only_commands_print() -> None:
    """What a person sees is written by the commands; what runs as a bot has a stderr of its own."""
    talkers = ("arena.cli", "arena.commands", "arena.guardian", "arena.confine", "protocol.bot")
    silent = [module for module in modules().values() if not module.within(*talkers)]
    assert [found for module in silent for found in calls(module, {"print", "input"})] == []
    assert breaches({"click"}, but=talkers) == []


@pytest.mark.parametrize("number", range(len(LAYERS)))
def test_nothing_imports_upward(number: int) -> None:
    """A module imports from layers below its own, or from its own, never from above."""
    upward = [
        f"{module.name}:{found.line} imports {found.name}"
        for module in modules().values()
        if layer(module.name) == number
        for found in own(module)
        if found.name != "arena" and layer(found.name) > number
    ]
    assert upward == []


def test_no_circles() -> None:
    """No module needs itself through others in order to be imported."""
    graph = {
        name: {found.name for found in own(module) if not found.late} - {name}
        for name, module in modules().items()
    }
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join([*path[path.index(name) :], name])
        if name not in done:
            for other in sorted(graph.get(name, ())):
                visit(other, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())


HEAVY = {"distributed", "jinja2", "msgspec", "numpy", "pettingzoo", "playwright", "pydantic", "rich", "yaml"}


def test_numpy_is_imported_where_it_is_used() -> None:
    """Numpy takes longer to import than most commands take to run."""
    early = [
        f"{module.name}:{found.line}"
        for module in modules().values()
        if not module.within("arena.envs")  # which is imported by name alone, by those who train bots
        for found in module.imports
        if found.name.split(".")[0] == "numpy" and not found.late
    ]
    assert early == []


def test_help_is_quick() -> None:
    """Nothing heavy is imported on the way to `arena COMMAND --help`."""

    def needs(name: str, seen: set[str]) -> Iterator[str]:
        if name in seen or name not in modules():
            return
        seen.add(name)
        for found in modules()[name].imports:
            if found.late:
                continue
            if found.name.split(".")[0] in HEAVY:
                yield f"{name}:{found.line} imports {found.name}"
            parts = found.name.split(".")
            for length in range(1, len(parts) + 1):
                yield from needs(".".join(parts[:length]), seen)

    starts = [name for name, module in modules().items() if module.within("arena.cli", "arena.commands")]
    assert [f"{start}: {reason}" for start in starts for reason in needs(start, set())] == []
