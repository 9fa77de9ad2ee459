"""The page and the HTTP API (extra `serve`): the same questions and the same documents as on the command line."""
