"""The table in a terminal, full-screen: drawn from `State.table` alone, no rule is known here.

- `paint`: styles for every name of a colour, in true colour, 256, 16 or none.
- `glyphs`: signs that a terminal can draw.
- `sheet`: a grid of characters with the spots of what stands there.
- `asked`: what the answers of a question mean: the things they point at, numbers, the beginnings of names.
- `scene`: a view with how it is to be drawn: what all the drawings below are given.
- `faces`: cards and tokens.  `zones`: zones, counters, seats.  `boards`: boards.  `places`: the map.  `question`: the question.
- `log`: the log.  `layout`: all of it on a screen of some size.
- `walking`: from one spot to the next by arrows and Tab.  `screens`: what lies over the table for a moment.  `reading`: texts for it.
- `stage`: the screen of all who show a table.  `app`: the game played: keys, mouse, bots, several people.
- `shelf`: the games that are there.  `watch`: a transcript, forwards and back, by its `steps`.
"""
