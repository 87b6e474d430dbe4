"""What makes and measures the project itself: benchmarks, mutation, generated pages, the build of a wheel. No wheel carries it."""
