"""How many letters of names leak by the origin of the names: sentences, names, and their scores."""
