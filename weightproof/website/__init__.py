"""The site: pages of all that is built in, and a box on each that runs the network in the page."""
