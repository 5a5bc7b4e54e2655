"""Agents: the Model Context Protocol's door to tables, rules and the lab (extra `mcp`)."""
