"""The manual: the pages of docs/, and what they lead to, in the folder of the site."""
