"""The macro benchmark: Usher beside what people would use instead. bench/README.md says how to run it."""
