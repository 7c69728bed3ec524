"""The front door: the command line and its reports. It computes nothing: every answer comes from the other packages."""
