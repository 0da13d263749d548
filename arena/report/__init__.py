"""What people look at: tables, the one-file report, replays. Everything here is derived from the journal."""
