#!/bin/sh
# The peers' own suites on all games: the wheel is built, installed into an environment of its own
# and tried there, outside the checkout. VENV names the environment that builds the wheel;
# EXCHEQUER_CACHE a folder of compiled games to share, where there is one.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${VENV:-.venv}/bin/python" -m hatchling build -t wheel -d "$work"
${PYTHON:-python3} -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --constraint requirements.lock \
    "$(ls "$work"/*.whl)[envs,openspiel,minari]" shimmy pygame
cp scripts/conformance.py "$work"
cd "$work"
EXCHEQUER_CACHE="${EXCHEQUER_CACHE:-$work/cache}" venv/bin/python conformance.py "$@"
