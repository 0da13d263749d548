"""The games, and the interface that they share."""
