"""What happens to saves when everything goes wrong: writers that are killed, disks that are full, folders that refuse, two writers.

Each part does one of these to writers that are processes of their own, and says what it has seen.  A writer *acknowledges* an
answer when the call that saves it has come back; from then on it must be in the file, whatever happens.
"""
