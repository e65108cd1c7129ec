/* SPDX-License-Identifier: Apache-2.0
 * A child that answers questions, one line each.
 */
#include "bench/numpy.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What ascontiguousarray does, but into an array that is already there. */
static const char script[] =
    "import sys, time\n"
    "import numpy as np\n"
    "print(np.__version__, flush=True)\n"
    "for line in sys.stdin:\n"
    "    word = line.split()\n"
    "    if word[0] == 'prepare':\n"
    "        shape = [int(n) for n in word[2].split(',')]\n"
    "        perm = [int(n) for n in word[3].split(',')]\n"
    "        array = np.arange(np.prod(shape)).astype(word[1]).reshape(shape)\n"
    "        view = array.transpose(perm)\n"
    "        copy = np.ascontiguousarray(view)\n"
    "        print(0, flush=True)\n"
    "    else:\n"
    "        repeats = range(int(word[1]))\n"
    "        start = time.thread_time_ns()\n"
    "        for _ in repeats:\n"
    "            np.copyto(copy, view)\n"
    "        print((time.thread_time_ns() - start) / len(repeats), flush=True)\n";

static void become_python(const char *python, const int to[2], const int from[2])
{
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    close(to[0]);
    close(to[1]);
    close(from[0]);
    close(from[1]);
    fclose(stderr);
    execl(python, python, "-c", script, (char *)NULL);
    _exit(127);
}

static bool answer(bench_numpy *numpy, char *line, int size)
{
    return fflush(numpy->to) == 0 && fgets(line, size, numpy->from);
}

bool bench_numpy_start(bench_numpy *numpy, const char *python)
{
    int to[2], from[2];
    if (pipe(to))
        return false;
    if (pipe(from)) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN); /* an interpreter that is gone is an error like others */
    numpy->child = fork();
    if (numpy->child == 0)
        become_python(python, to, from);
    close(to[0]);
    close(from[1]);
    numpy->to = fdopen(to[1], "w");
    numpy->from = fdopen(from[0], "r");
    if (numpy->child > 0 && numpy->to && numpy->from &&
        answer(numpy, numpy->version, sizeof numpy->version)) {
        numpy->version[strcspn(numpy->version, "\n")] = '\0';
        return true;
    }
    bench_numpy_stop(numpy);
    return false;
}

static void tell_list(FILE *to, const int64_t *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%c%" PRId64, i ? ',' : ' ', value[i]);
}

bool bench_numpy_prepare(bench_numpy *numpy, const ztl_ops_tensor *in, ztl_ops_list perm)
{
    char line[64];
    fprintf(numpy->to, "prepare u%u", in->bits / 8);
    tell_list(numpy->to, in->extent, in->rank);
    tell_list(numpy->to, perm.value, perm.count);
    fputc('\n', numpy->to);
    return answer(numpy, line, sizeof line);
}

double bench_numpy_time(bench_numpy *numpy, unsigned repeats)
{
    char line[64];
    fprintf(numpy->to, "time %u\n", repeats);
    return answer(numpy, line, sizeof line) ? strtod(line, NULL) : -1;
}

void bench_numpy_stop(bench_numpy *numpy)
{
    if (numpy->to)
        fclose(numpy->to);
    if (numpy->from)
        fclose(numpy->from);
    if (numpy->child > 0)
        waitpid(numpy->child, NULL, 0);
}
