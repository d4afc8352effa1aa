"""Outputs: written once to a staging folder beside the target, audited there, published by rename or discarded."""
