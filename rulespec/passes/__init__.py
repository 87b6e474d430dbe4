"""Small functions from a program to a program."""
