"""One command a file; each file's `command` is the command."""
