"""The smallest change that makes a refuted construction a proved one."""
