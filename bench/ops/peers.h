/* SPDX-License-Identifier: Apache-2.0
 * Other libraries' times for a case, each from an interpreter that runs beside the benchmark.
 */
#ifndef ZTL_BENCH_PEERS_H
#define ZTL_BENCH_PEERS_H

#include <stdio.h>
#include <sys/types.h>

#include "bench/cases/cases.h"

typedef struct bench_peer {
    const char *name;
    FILE *to, *from;
    pid_t child;
    char version[32];
} bench_peer;

enum { BENCH_PEERS = 4 };

/* The name of a library that can be compared with; NULL past the last. */
const char *bench_peer_name(size_t index);

/* Starts the interpreter; false when there is none, or it does not have the library. */
bool bench_peer_start(bench_peer *peer, const char *name, const char *python, unsigned threads);

/* Makes arrays of the case, with every page touched; false when the library cannot do it. */
bool bench_peer_prepare(bench_peer *peer, const ztl_ops_case *c);

/* Nanoseconds of one rearrangement, the mean of so many; negative when the child is gone. */
double bench_peer_time(bench_peer *peer, unsigned repeats);

void bench_peer_stop(bench_peer *peer);

#endif
