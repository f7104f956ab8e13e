"""``python -m metaheur`` is the command `metaheur`."""

import sys

from metaheur.command.main import main

if __name__ == "__main__":
    sys.exit(main())
