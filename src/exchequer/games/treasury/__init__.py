"""Treasury: a civilisation of businesses, contracts and a common treasury, in two editions."""
