"""What tests share: builders, drivers and the places of the checkout. Tests import it from here, never from each other."""
