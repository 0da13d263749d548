"""arena: a tournament runner and bot-protocol arena for board games."""

__version__ = "0.1.0"
