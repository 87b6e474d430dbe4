"""What all back ends share: values, bounds, effects on slots, chance, visibility, faults."""
