"""C-RASP: programs that count, and the networks that their lines become."""
