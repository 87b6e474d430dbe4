"""The studio, `rulespec studio`: the files of a game in an editor, and beside them its table as the text stands.

- `projects`: the folder that is written to, the games in it, their files, and no other.
- `drafts`: texts that are not saved yet, kept until they are.
- `language`: the language server of one page.
- `live`: the table that follows the text.
- `answers`: the answers of one game given again in another version of it.
- `trials`, `trying`: cases that run as the text changes, and their traces, in a process of their own.
- `pointing`: from the table to the text, and back.
- `making`: new games, copies and variants.
- `messages`: what a page may say.
- `sessions`: one page, and what comes of its messages.
- `shared`: what the pages share.
- `studio`: all pages, and who is let in.
- `alone`: all of it within one process, as in a browser.
- `elsewhere`: the thorough look there, in another Python.
- `shelf`: rulebooks of the text as it stands.
- `warming`: what a page of that does first, done ahead.
- `web`: the files of the page.
"""
