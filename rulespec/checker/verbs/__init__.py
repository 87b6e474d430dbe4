"""The verbs: each checks a step and emits its instructions."""
