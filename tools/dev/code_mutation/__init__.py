"""Mutation testing of the Python code: one small change at a time, and whether a test notices.

cosmic-ray makes the mutants and runs the tests; which modules, which tests and how many mutants stands in `parts.yaml`, and
what is to be said of survivors in `survivors.yaml`.
"""
