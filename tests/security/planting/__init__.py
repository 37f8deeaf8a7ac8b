"""Files of every format with one marked name at one place each, of the places that its standard knows."""
