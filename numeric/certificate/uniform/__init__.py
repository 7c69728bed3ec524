"""All words of one or more lengths at once: what is known of the residual stream, and how far the logit may be off."""
