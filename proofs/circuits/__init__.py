"""What is proved of circuits and of the networks that compute them."""
