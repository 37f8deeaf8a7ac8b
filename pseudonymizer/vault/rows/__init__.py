"""What the tables hold, row by row: people, names, mentions, documents."""
