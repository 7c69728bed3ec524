"""The symbolic reading of what runs step by step: recurrent networks, and encoder-decoders at a generic step."""
