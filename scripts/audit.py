"""Known holes in what a server depends on, by pip-audit, as far as it can ask.

    python scripts/audit.py

Fails when a hole is known. Without a network, or behind a mirror that knows nothing of holes, it
says what it could not ask about and passes.
"""

import json
import pathlib
import subprocess
import sys

LIST = pathlib.Path(__file__).parents[1] / "deploy" / "requirements.txt"
COMMAND = [sys.executable, "-m", "pip_audit", "--requirement", str(LIST), "--disable-pip",
           "--require-hashes", "--progress-spinner", "off", "--format", "json", "--timeout", "10"]


def main() -> None:
    try:
        done = subprocess.run(COMMAND, capture_output=True, text=True, timeout=120, check=False)
        found = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        print("pip-audit could not ask anybody; nothing was audited.")
        return
    holes = [f"{one['name']} {one['version']}: {hole['id']}, mended in "
             f"{', '.join(hole['fix_versions']) or 'no version yet'}"
             for one in found for hole in one.get("vulns", [])]
    asked = sum("skip_reason" not in one for one in found)
    print(f"{asked} of {len(found)} dependencies audited, {len(holes)} known holes.")
    for hole in holes:
        print(f"  {hole}")
    sys.exit(1 if holes else 0)


if __name__ == "__main__":
    main()
