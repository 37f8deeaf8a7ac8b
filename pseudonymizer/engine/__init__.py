"""The engine behind every door: it finds, links, labels, follows and writes names, in texts and in files."""
