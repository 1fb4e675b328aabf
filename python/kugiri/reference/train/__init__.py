"""The trainers, each in a file of its own: texts → word counts → merges or a vocabulary."""
