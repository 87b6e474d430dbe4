"""Tables of games for browsers: `rulespec serve`.  The messages are those of `docs/protocol.md`.

What plays, which knows no network:

- `tokens`: who may come in as what.
- `messages`: what a client may say.
- `patches`: from one view to the next.
- `feeds`: what a viewer of a table is sent.
- `tables`: a game with its seats: answers, taking back, who sits where.
- `storage`: the folder in which tables are kept.
- `cases`: cases that the host has written of what is played.

What talks:

- `lanes`: the threads in which games are played.
- `warming`: games made ready to be played while people sit down.
- `rooms`: a table with those who are connected to it, and its bots at their pace.
- `requests`: what comes of each message.
- `clients`: one connection.
- `address`: under which addresses a server is reached, and whether a request came by one of them.
- `links`: the links, and where they are told.
- `web`: the files of the page, and the headers of every answer.
- `house`: all tables and the lobby.
- `server`: the socket.
"""
