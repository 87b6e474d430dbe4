"""Cases written from games that were played: the position, what is asked, the answers, and what they changed.

`moment` takes a stretch out of a game, `values` and `position` write what lies on the table as steps and facts, `trials` tries a draft,
`writer` finds which parts a case needs, `skeleton` begins one for a procedure, `book` puts it into a file.
"""
