"""Pictures of maps: as lines of text, and as SVG."""
