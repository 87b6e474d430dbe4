"""Generated Python of a program: see `backend` for how it runs and `procedures` for what is written."""
