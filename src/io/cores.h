/* How many threads can run at once. */
#ifndef FST_IO_CORES_H
#define FST_IO_CORES_H

/* The cores that the process may use: those of its affinity, fewer where a control group grants
 * less time (cpu.max of version 2, cpu.cfs_quota_us of version 1); at least 1. */
unsigned fst_cores_usable(void);

#endif
