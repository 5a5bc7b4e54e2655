#!/bin/sh
# Install what the table's tests need, when it is missing: PostgreSQL and Chromium from Debian, and
# the accessibility audit axe-core from the npm registry (into .tools, which git ignores).
set -eu
cd "$(dirname "$0")/.."

axe=4.10.2
if [ ! -f .tools/axe.min.js ]; then
    mkdir -p .tools
    echo "fetching axe-core $axe"
    (cd .tools && npm pack --silent "axe-core@$axe" >/dev/null \
        && tar -xzf "axe-core-$axe.tgz" --strip-components=1 package/axe.min.js && rm "axe-core-$axe.tgz") \
        || echo "axe-core could not be fetched (it needs npm): its audit is left out" >&2
fi

missing=""
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing="postgresql"
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || missing="$missing chromium"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then as=""
elif sudo -n true 2>/dev/null; then as="sudo"
else
    echo "The tests need $missing, and installing needs root. Please run:" >&2
    echo "    sudo apt-get install $missing" >&2
    exit 1
fi
echo "installing $missing"
export DEBIAN_FRONTEND=noninteractive
$as apt-get update -qq
# shellcheck disable=SC2086
$as apt-get install -y -qq --no-install-recommends $missing >/dev/null
