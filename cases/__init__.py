"""Case files that ship with the package."""
