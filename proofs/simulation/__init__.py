"""That networks simulate: a recurrent network a Turing machine, a transformer a recurrent network; at every step."""
