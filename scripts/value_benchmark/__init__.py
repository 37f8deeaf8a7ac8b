"""Made values of nobody in made surroundings: how many of them the patterns of data/kinds.toml find."""
