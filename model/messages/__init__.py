"""Message texts: one file a language."""
