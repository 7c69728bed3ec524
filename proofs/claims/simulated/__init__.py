"""What is printed about transformers that simulate recurrent networks, judged."""
