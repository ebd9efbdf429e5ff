#!/usr/bin/env bash
# GNU parallel as the engine: the recipes of docs/FLEET.md make the bytes that one process makes.
#
#   tests/fleet/parallel.sh FOLDSTAT_BINARY
#
# Exit codes: 0 they do; 1 they do not; 77 there is no GNU parallel. The last line is
# `N passed, N failed`.
set -euo pipefail

if ! parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    echo "skipped: GNU parallel is not installed"
    exit 77
fi
binary=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/hosts" "$work/parts" "$work/home"
ln -s "$binary" "$work/bin/foldstat"
export PATH=$work/bin:$PATH HOME=$work/home PARALLEL_HOME=$work/home
cd "$work"
passed=0 failed=0

check() {
    if cmp "$2" "$3"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED $1"; fi
}

awk 'BEGIN {
    for (i = 0; i < 60000; i++) {
        s = i * 7919 % 9973
        stack = sprintf("<module> (train.py:42);fit (pkg/loop.py:%d);op_%d (pkg/ops.py:%d)", s % 7, s, s % 89)
        print stack, 1 + i % 5 > "huge.raw"
        print stack, 1 + i % 5 > ("hosts/" i % 40 ".raw")
    }
}'
foldstat merge -o whole.raw huge.raw

# one huge file, in pieces
parallel --pipepart -a huge.raw --block 1M foldstat merge -q - | foldstat merge -q -o pieces.raw
check "pieces of one file" whole.raw pieces.raw

# many files, some at a time, in two steps
find hosts -name '*.raw' -print0 | parallel -0 -N 7 foldstat merge -q -o 'parts/{#}.raw' '{}'
foldstat merge --sorted -o hosts.raw parts/*.raw
check "files of many hosts" whole.raw hosts.raw

# every file with the name of its host, and then without
mkdir tagged
parallel foldstat merge -q --tag 'host={/.}' -o 'tagged/{/}' '{}' ::: hosts/*.raw
foldstat merge -q --sorted -o tagged.raw tagged/*.raw
foldstat merge -q --hide '^host=' -o untagged.raw tagged.raw
check "tags taken off again" whole.raw untagged.raw

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
