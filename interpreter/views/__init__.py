"""What a seat may see of a position."""
