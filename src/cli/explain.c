#include "cli/options.h"

static const char text[] =
    "foldstat gil: how to record the pair, and how to read the result\n"
    "\n"
    "Record while the program does what it is slow at, in a steady state: both\n"
    "recordings must see the same load. One after the other, of one process:\n"
    "\n"
    "  py-spy record -f raw -r 99 -d 30 --threads --gil -o gil.raw --pid 4242\n"
    "  py-spy record -f raw -r 99 -d 30 --threads       -o all.raw --pid 4242\n"
    "  foldstat gil gil.raw all.raw --rate 99 --duration 30\n"
    "\n"
    "Why two: gil.raw has the samples whose thread held the lock, at most one a tick;\n"
    "all.raw has one for every thread that was active, any number a tick. Neither\n"
    "says how many ticks there were: rate x duration does, less one. If py-spy was\n"
    "stopped early, that is wrong: give the ticks themselves (--gil-ticks N).\n"
    "\n"
    "  GIL occupancy   share of the time in which a thread held the lock, 0 to 100 %\n"
    "  active threads  how many were running at a time, with or without the lock\n"
    "  GIL share       how much of that running time held the lock\n"
    "  count ratio     samples over samples: says nothing if the ticks differ\n"
    "\n"
    "Near 100 % occupancy Python code cannot go faster: if several threads hold it\n"
    "they contend, and processes or native code help, threads do not. With a low\n"
    "occupancy and many active threads the work is native, and the GIL is not what it\n"
    "waits for. With few active threads the process waits for something else.\n"
    "\n"
    "Threads that wait for the GIL are asleep and stand in neither recording. A third\n"
    "shows all threads, asleep or not; who is in it and not in all.raw was waiting or\n"
    "blocked, on the GIL or on anything else:\n"
    "\n"
    "  py-spy record -f raw -r 99 -d 30 --threads --idle -o idle.raw --pid 4242\n"
    "  foldstat gil gil.raw all.raw --idle idle.raw --rate 99 --duration 30\n"
    "\n"
    "An interval speaks of the seconds that were recorded. Whether the next minute is\n"
    "like them no interval knows: record several pairs, at different times.\n";

void fst_help_explain(FILE *to)
{
    (void)fputs(text, to);
}
