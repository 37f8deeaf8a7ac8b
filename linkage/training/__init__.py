"""Training of recognition networks: gold, windows of tokens, the loop, and the folder that comes out."""
