"""The benchmark: how fast games are played, copied, saved and loaded, beside other libraries.

`make bench` measures, prints the ratios and writes benchmarks.json and benchmarks.md in docs/reports.  `data/` names the games, the
libraries and what we aim at.  It is a tool of a checkout; a wheel does not carry it.
"""
