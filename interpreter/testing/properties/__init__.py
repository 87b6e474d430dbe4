"""Properties that hold for every game, and looking for games in which one does not.

Each property is a function of its own: of a position (`position`), of one answer (`moment`), of a seat's information states
(`recall`), and of two games that a seat cannot tell apart (`pairs`).  `trial` plays one game and looks at all of them, `shrink`
shortens what leads to a failure, `verify` plays many.
"""
