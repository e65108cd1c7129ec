/* SPDX-License-Identifier: Apache-2.0
 * Ways to stop, deep in calls. The test looks for the lines that are marked.
 */
#include <stdio.h>
#include <stdlib.h>

static inline __attribute__((always_inline)) int inner(volatile int *place)
{
    return *place; /* inner */
}

__attribute__((noinline)) int middle(volatile int *place, int count)
{
    char text[64];
    snprintf(text, sizeof text, "%d", count);
    return inner(place) + text[0]; /* middle */
}

static int compare(const void *one, const void *two)
{
    (void)one, (void)two;
    return middle((int *)16, 1) + 1; /* compare */
}

__attribute__((noinline)) void leap(void (*volatile nowhere)(void))
{
    nowhere(); /* leap */
    nowhere = NULL;
}

__attribute__((noinline)) int recurse(volatile char *above)
{
    volatile char frame[4096];
    frame[0] = above[0];
    return recurse(frame) + frame[0]; /* again */
}

int main(int argc, char **argv)
{
    volatile char start = 1;
    int pair[2] = {1, 2};
    switch (argc > 1 ? argv[1][0] : 0) {
    case 'q':                                    /* through the C library */
        qsort(pair, 2, sizeof pair[0], compare); /* main q */
        break;
    case 'l':
        leap((void (*)(void))0x1234); /* main l */
        break;
    case 'r':
        return recurse(&start); /* main r */
    case 'e':
    endless:
        goto endless; /* main e */
    default:
        break;
    }
    return 0;
}
