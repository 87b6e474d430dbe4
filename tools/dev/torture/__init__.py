"""Stress tests of saves: writers that are killed, full disks, folders without rights, two writers.

Each part does one of these to writers that are processes of their own, and says what it has seen.  A writer *acknowledges* an
answer when the call that saves it has come back; from then on it must be in the file, whatever happens.
"""
