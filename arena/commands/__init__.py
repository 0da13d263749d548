"""The commands of the `arena` program, a module each; cli.py finds them by name."""
