"""The vault behind a socket: messages, connection, client."""
