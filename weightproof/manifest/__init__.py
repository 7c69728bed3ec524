"""What is proved, what each verdict rests on, and of which weights it is true, as pages in findings/trust."""
