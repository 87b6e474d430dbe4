"""The back end that compiles a program to Python: `backend` runs it, `procedures` is where code generation begins."""
