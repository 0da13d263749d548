"""What results look like: tables, the HTML report, the replay viewer."""
