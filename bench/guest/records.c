/* SPDX-License-Identifier: Apache-2.0
 * What ordinary programs do, in the manner of Dhrystone: records, pointers, strings, calls,
 * switches.
 */
#include "guest.h"

enum kind { KIND_FIRST, KIND_SECOND, KIND_THIRD, KINDS };

typedef struct record {
    struct record *next;
    enum kind kind;
    int number;
    char name[32];
} record;

static record pool[16];
static int counts[KINDS];
static int table[50];

__attribute__((noinline)) static int compare(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

__attribute__((noinline)) static void copy_name(char *to, const char *from)
{
    while ((*to++ = *from++))
        ;
}

__attribute__((noinline)) static enum kind next_kind(enum kind kind)
{
    switch (kind) {
    case KIND_FIRST:
        return KIND_SECOND;
    case KIND_SECOND:
        return counts[KIND_FIRST] > 100 ? KIND_FIRST : KIND_THIRD;
    default:
        return KIND_FIRST;
    }
}

__attribute__((noinline)) static void update(record *one, int round)
{
    record *other = one->next;
    *other = *one;
    other->number = round + one->number % 7;
    other->kind = next_kind(one->kind);
    other->next = one->next->next == one ? &pool[round % 16] : &pool[(round + 1) % 16];
    counts[other->kind]++;
}

__attribute__((noinline)) static int scan(int *numbers, int start)
{
    int sum = 0;
    for (int i = start; i < start + 10; i++) {
        numbers[i % 50] += i;
        sum += numbers[(i * 3) % 50];
    }
    return sum;
}

uint64_t work(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < 16; i++) {
        pool[i].next = &pool[(i + 1) % 16];
        copy_name(pool[i].name, "a record of the benchmark, no 1");
    }
    for (int round = 0; round < ROUNDS * 100000; round++) {
        record *one = &pool[round % 16];
        update(one, round);
        one->name[30] = (char)('0' + round % 3);
        if (compare(one->name, pool[(round + 5) % 16].name) == 0)
            copy_name(pool[(round + 3) % 16].name, "a record of the benchmark, no 2");
        sum += (uint64_t)scan(table, round % 40) + (unsigned)counts[one->kind];
    }
    return sum;
}
