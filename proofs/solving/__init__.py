"""Obligations, and what closes them: certificates, and solvers in processes."""
