/* How many threads can run at once. */
#ifndef FST_IO_CORES_H
#define FST_IO_CORES_H

/* The cores that the process may use: those of its affinity, fewer where a control group grants
 * less time (cpu.max of version 2, cpu.cfs_quota_us of version 1); at least 1. */
unsigned fst_cores_usable(void);

/* How many threads are started where nobody says how many: one for each usable core, 4 at most.
 * Each has tables of its own, so that more take more memory, and what is measured needs its
 * cores. */
unsigned fst_cores_by_default(void);

#endif
