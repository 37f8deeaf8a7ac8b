"""One engine behind every door: find, link, assign, follow, render, for texts and files alike."""
