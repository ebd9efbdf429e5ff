#!/usr/bin/env bash
# Installs DuckDB for Node into a folder, where that can be had, and runs duckdb.mjs with it.
#
#   tests/fleet/duckdb.sh FOLDSTAT_BINARY FIXTURE FOLDER
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "skipped: no node or npm"
    exit 77
fi
mkdir -p "$3"
[ -d "$3/node_modules/@duckdb/node-api" ] ||
    timeout 300 npm install --no-audit --no-fund --ignore-scripts --prefix "$3" @duckdb/node-api@1 \
        >"$3/duckdb.log" 2>&1 || true
exec node "$here/duckdb.mjs" "$1" "$2" "$3/node_modules"
