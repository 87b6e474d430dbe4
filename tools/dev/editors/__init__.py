"""What editors are given besides the language server: grammars made from the definitions, and an icon."""
