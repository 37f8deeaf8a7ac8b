"""The ways back to names: one gate, requests and grants, links between projects, run keys."""
