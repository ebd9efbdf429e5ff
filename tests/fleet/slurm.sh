#!/usr/bin/env bash
# Slurm as the engine: an array job that merges the files of many hosts, and a job that depends on it and
# merges the sums. A cluster of three nodes is started on this machine for that, with a munged of its
# own, and stopped again.
#
#   tests/fleet/slurm.sh FOLDSTAT_BINARY
#
# Needs Debian's slurm-wlm and munge, and root. Nothing of theirs is changed: keys, sockets, state and
# logs stand in a temporary folder, and only what was started here is ended, by its number. Exit codes:
# 0 the sum is that of one process; 1 it is not; 77 Slurm is not installed, or there is no root.
set -euo pipefail

for program in munged slurmctld slurmd sbatch; do
    if ! command -v "$program" >/dev/null; then
        echo "skipped: no $program (apt-get install slurm-wlm munge)"
        exit 77
    fi
done
if [ "$(id -u)" != 0 ]; then
    echo "skipped: Slurm's daemons want root"
    exit 77
fi
binary=$(realpath "$1")
work=$(mktemp -d)
host=$(hostname -s)
export SLURM_CONF=$work/slurm.conf

started() { [ -s "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null; }

stop() {
    local file
    for file in "$work"/run/slurmd-*.pid "$work/run/slurmctld.pid" "$work/run/munged.pid"; do
        if started "$file"; then kill "$(cat "$file")" || true; fi
    done
    sleep 1
    rm -rf "$work"
}
trap stop EXIT

wait_for() {
    local tries
    for tries in $(seq 100); do
        if "$@" >/dev/null 2>&1; then return 0; fi
        sleep 0.3
    done
    echo "FAILED after $tries tries: $*"
    tail -n 5 "$work"/log/*.log
    return 1
}

# --- the cluster -------------------------------------------------------------------------

chmod 755 "$work"
mkdir -p "$work"/{run,log,state,spool,hosts,parts,bin}
ln -s "$binary" "$work/bin/foldstat"
(umask 077 && head -c 1024 /dev/urandom >"$work/run/munge.key")
munged --force --key-file "$work/run/munge.key" --socket "$work/run/munge.socket" \
    --pid-file "$work/run/munged.pid" --log-file "$work/log/munged.log" --seed-file "$work/run/munge.seed"
cat >"$SLURM_CONF" <<END
ClusterName=fleet
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/run/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool/%n
SlurmctldPidFile=$work/run/slurmctld.pid
SlurmdPidFile=$work/run/slurmd-%n.pid
SlurmctldLogFile=$work/log/slurmctld.log
SlurmdLogFile=$work/log/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SelectType=select/cons_tres
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=26821 CPUs=1 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=26822 CPUs=1 State=UNKNOWN
NodeName=n3 NodeHostname=$host NodeAddr=127.0.0.1 Port=26823 CPUs=1 State=UNKNOWN
PartitionName=all Nodes=n1,n2,n3 Default=YES MaxTime=10 State=UP
END
slurmctld
for node in n1 n2 n3; do
    mkdir "$work/spool/$node"
    slurmd -N "$node"
done
idle() { [ "$(sinfo -h -N -o '%T' | grep -c '^idle$')" = 3 ]; }
wait_for idle

# --- the jobs ----------------------------------------------------------------------------

awk -v folder="$work/hosts" 'BEGIN {
    for (i = 0; i < 60000; i++) {
        s = i * 7919 % 9973
        printf "main;step_%d;op_%d %d\n", s % 7, s, 1 + i % 5 > (folder "/" i % 90 ".raw")
    }
}'
"$binary" merge -q -o "$work/whole.raw" "$work"/hosts/*.raw

cd "$work"
export PATH=$work/bin:$PATH
ls hosts/*.raw | split -n r/9 - list.
i=0
for list in list.*; do mv "$list" "list.$i" && i=$((i + 1)); done

map=$(sbatch --parsable --array=0-8 -o 'log/map-%a.log' \
    --wrap 'tr "\n" "\0" <list.$SLURM_ARRAY_TASK_ID | foldstat merge -q --files0-from=- -o parts/$SLURM_ARRAY_TASK_ID.raw')
sbatch --wait --dependency="afterok:$map" -o log/reduce.log \
    --wrap 'foldstat merge -q --sorted -o sum.raw parts/*.raw'

if cmp whole.raw sum.raw; then
    echo "9 tasks on 3 nodes, then one: $(wc -l <sum.raw) stacks, the same bytes"
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
