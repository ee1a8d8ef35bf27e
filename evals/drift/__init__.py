"""Sample projects with statements about them, some true and some not, and how many of each drift detection tells."""
