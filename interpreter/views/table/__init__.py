"""The table: one view of a position for every front end, made for one seat.

- `words`: colours and signs that names say.
- `faces`: what stands on a component.
- `plan`: where zones and variables go, boards, the map: what no position changes.
- `table`: what lies where in a position.
- `decision`: what is asked, and what its answers mean.
- `log`: what was said, by turns.
- `changes`: what is otherwise than when the seat chose last.
- `ahead`: the verbs that can be meant by a thing, asked for by itself.
- `view`: all of it together.
"""
