"""Control measures inside Spark: Atum's seven controls, the checkpoints, and how they must agree."""
