"""Parts of scripts/compare_runs: conditions, inputs, doors, records, differences, scores."""
