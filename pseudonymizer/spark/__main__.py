"""`python -m pseudonymizer.spark ...` is `nymlink run --engine spark ...`; spark-submit runs this file."""

import sys

from pseudonymizer.cli import main

if __name__ == "__main__":
    sys.argv[1:] = ["run", "--engine", "spark", *sys.argv[1:]]
    main()
