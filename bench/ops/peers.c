/* SPDX-License-Identifier: Apache-2.0
 * Children that answer questions, one line each: bench/ops/peers.py says which.
 */
#include "bench/ops/peers.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/process/process.h"
#include "ops/drive/embed.h"

OPS_EMBED(ztl_bench_peers, ZTL_BENCH_PEERS_SCRIPT);

const char *bench_peer_name(size_t index)
{
    static const char *const names[BENCH_PEERS] = {"numpy", "pytorch", "onednn", "opencv"};
    return index < BENCH_PEERS ? names[index] : NULL;
}

/* The script as text that ends. */
static char *script(void)
{
    size_t size = (size_t)(ztl_bench_peers_end - ztl_bench_peers_image);
    char *text = malloc(size + 1);
    if (text) {
        memcpy(text, ztl_bench_peers_image, size);
        text[size] = '\0';
    }
    return text;
}

static void become_python(const char *python, const char *name, unsigned threads, const int to[2],
                          const int from[2], pid_t parent)
{
    char count[16], *text = script();
    snprintf(count, sizeof count, "%u", threads);
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    fclose(stderr);
    if (text && ztl_process_end_with(parent))
        execl(python, python, "-c", text, name, count, (char *)NULL);
    _exit(127);
}

static bool answer(bench_peer *peer, char *line, int size)
{
    return fflush(peer->to) == 0 && fgets(line, size, peer->from);
}

/* Ends that no child inherits: one that kept another's would keep it from ending. */
static bool open_pipe(int ends[2])
{
    if (pipe(ends))
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

bool bench_peer_start(bench_peer *peer, const char *name, const char *python, unsigned threads)
{
    int to[2], from[2];
    *peer = (bench_peer){.name = name};
    if (!open_pipe(to))
        return false;
    if (!open_pipe(from)) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN); /* an interpreter that is gone is an error like others */
    pid_t parent = getpid();
    peer->child = fork();
    if (peer->child == 0)
        become_python(python, name, threads, to, from, parent);
    close(to[0]);
    close(from[1]);
    peer->to = fdopen(to[1], "w");
    peer->from = fdopen(from[0], "r");
    if (peer->child > 0 && peer->to && peer->from &&
        answer(peer, peer->version, sizeof peer->version)) {
        peer->version[strcspn(peer->version, "\n")] = '\0';
        return true;
    }
    bench_peer_stop(peer);
    return false;
}

bool bench_peer_prepare(bench_peer *peer, const ztl_ops_case *c)
{
    char line[64];
    fprintf(peer->to, "prepare %u %s ", c->in[0].bits / 8, c->operator);
    for (const char *shape = c->shapes; *shape; shape++)
        fputc(*shape == ' ' ? ';' : *shape, peer->to);
    fprintf(peer->to, " %s\n", c->options);
    return answer(peer, line, sizeof line) && !strcmp(line, "yes\n");
}

double bench_peer_time(bench_peer *peer, unsigned repeats)
{
    char line[64];
    fprintf(peer->to, "time %u\n", repeats);
    return answer(peer, line, sizeof line) ? strtod(line, NULL) : -1;
}

void bench_peer_stop(bench_peer *peer)
{
    if (peer->to)
        fclose(peer->to);
    if (peer->from)
        fclose(peer->from);
    if (peer->child > 0)
        waitpid(peer->child, NULL, 0);
    *peer = (bench_peer){.name = peer->name};
}
