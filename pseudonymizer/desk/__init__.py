"""What a person or a program may ask of nymlink, without HTTP: texts, tokens, the engine process."""
