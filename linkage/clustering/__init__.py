"""Scored links and evidence -> who is who: inside each document first, then across documents."""
