/* SPDX-License-Identifier: Apache-2.0
 * A product of matrices of integers.
 */
#include "guest.h"

enum { N = 96 };

static int32_t a[N][N], b[N][N], c[N][N];

static void multiply(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

uint64_t work(void)
{
    uint32_t seed = 88172645u;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (int32_t)(next_random(&seed) % 100);
            b[i][j] = (int32_t)(next_random(&seed) % 100);
        }
    uint64_t sum = 0;
    for (int round = 0; round < ROUNDS * 5; round++) {
        multiply();
        a[round % N][0] ^= c[0][round % N] & 0xff;
        for (int i = 0; i < N; i++)
            sum += (uint64_t)(int64_t)c[i][(i + round) % N];
    }
    return sum;
}
