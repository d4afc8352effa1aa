"""Checks that a profile suggests: rules, one function each, and the table of them."""
