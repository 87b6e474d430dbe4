"""Our games in the interfaces of other libraries, each a module of its own that needs its extra."""
