#!/usr/bin/env bash
# Unpacks an archive of build/ as krew does and runs what is in it: krew/try.sh ARCHIVE. For the machine that it is made for.
set -euo pipefail
archive=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -xzf "$archive" -C "$folder"
program=$folder/kubectl-grpc_skew
[[ -e $program.exe ]] && program=$program.exe

for licence in LICENSE THIRD-PARTY-LICENSES; do [[ -s $folder/$licence ]]; done
"$program" version
"$program" --from test/recordings/skew-scaleup -o json >"$folder/report.json"
grep --quiet '"state": "skewed"' "$folder/report.json"
echo "$(basename "$archive"): runs, gives a verdict"
