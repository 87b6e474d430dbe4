"""Text and places in it: sources, YAML with places, findings and how they are shown, the layout of files."""
