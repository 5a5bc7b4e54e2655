"""Treasury: a civilisation's citizens live off its treasury. Each edition is a game of its own."""
