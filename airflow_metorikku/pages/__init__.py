"""Pages of HTML for people, each whole in one file: no script, style or picture from anywhere else."""
