/* SPDX-License-Identifier: Apache-2.0
 * A hash of bytes, and a table that is filled and searched by it.
 */
#include "guest.h"

enum { SLOTS = 1 << 12, KEYS = 2500, BYTES = 4096 };

static uint32_t keys[SLOTS], values[SLOTS];
static uint8_t text[BYTES];

static uint32_t hash_bytes(const uint8_t *bytes, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

static uint32_t *find(uint32_t key)
{
    uint32_t slot = key * 2654435761u >> 20;
    while (keys[slot] != key && keys[slot] != 0)
        slot = (slot + 1) % SLOTS;
    keys[slot] = key;
    return &values[slot];
}

uint64_t work(void)
{
    uint64_t sum = 0;
    uint32_t seed = 362436069u;
    for (int i = 0; i < BYTES; i++)
        text[i] = (uint8_t)next_random(&seed);
    for (int round = 0; round < ROUNDS * 150; round++) {
        text[round % BYTES]++;
        sum += hash_bytes(text, BYTES);
        uint32_t key = 1;
        for (int i = 0; i < KEYS; i++) {
            key = key * 1103515245u + 12345u;
            *find(key | 1) += (uint32_t)i;
        }
        sum += *find(1103527591u);
    }
    return sum;
}
