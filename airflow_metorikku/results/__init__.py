"""Room 4: what a run says of itself, as frozen records, and what a gate makes of it. Standard library only."""
