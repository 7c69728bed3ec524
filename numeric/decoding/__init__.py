"""What is computed step after step, in floating point: decoders, encoder-decoders, recurrent networks."""
