"""The commands, one file each: what is asked, what is loaded for it, and how it is answered."""
