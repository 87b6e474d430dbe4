"""What is asked of the machine that we run on: its files and its garbage collector."""
