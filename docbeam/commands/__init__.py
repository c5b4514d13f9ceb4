"""The command line: one file a command, its flags made from the option classes."""
