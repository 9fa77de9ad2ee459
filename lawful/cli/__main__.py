"""``python -m lawful.cli`` is ``lawful``."""

import sys

from lawful.cli import main

sys.exit(main())
