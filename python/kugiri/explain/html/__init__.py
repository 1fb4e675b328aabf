"""Pages of HTML: one file each, which asks for nothing, runs offline, and quotes text safely."""
