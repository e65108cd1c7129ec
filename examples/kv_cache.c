/* SPDX-License-Identifier: Apache-2.0
 * A cache of keys that grows by a token at a time: one plan, made once, writes each token at a
 * position that is read when it runs, into the cache itself. Another plan gathers rows by indices.
 */
#include <stdio.h>
#include <string.h>

#include <ztl/ops.h>

enum { HEADS = 4, LENGTH = 16, WIDTH = 64, TOKENS = 6 };

static uint8_t cache[HEADS][LENGTH][WIDTH], token[HEADS][1][WIDTH], rows[3][LENGTH * WIDTH];

static int fail(const ztl_error *error)
{
    printf("%s\n", error->text);
    return 1;
}

/* Each token at its position, and one too many at the end. */
static int grow(const ztl_ops_plan *plan)
{
    int32_t position;
    const void *in[] = {cache, token, &position};
    void *out[] = {cache}; /* in place: only what is new is written */
    ztl_error error;
    for (position = 0; position < TOKENS; position++) {
        for (int h = 0; h < HEADS; h++)
            memset(token[h], 10 * (h + 1) + position, WIDTH);
        if (!ztl_ops_plan_run(plan, in, out, &error))
            return fail(&error);
    }
    for (int h = 0; h < HEADS; h++) {
        printf("head %d:", h);
        for (int i = 0; i <= TOKENS; i++)
            printf(" %d", cache[h][i][WIDTH - 1]);
        printf("\n");
    }
    position = LENGTH;
    if (!ztl_ops_plan_run(plan, in, out, &error))
        printf("refused: %s\n", error.text);
    return 0;
}

/* Heads by indices at run time. */
static int pick(void)
{
    const int64_t index[] = {-1, 0, 2};
    ztl_ops_op op = ztl_ops_gather(0, NULL, 0);
    ztl_ops_tensor in[2], out;
    ztl_error error;
    ztl_ops_dense(&in[0], 8, 2, (int64_t[]){HEADS, LENGTH * WIDTH});
    ztl_ops_dense(&in[1], 64, 1, (int64_t[]){3});
    if (!ztl_ops_infer(&op, in, 2, &out, 1, &error) ||
        !ztl_ops_apply(&op, in, 2, &out, 1, (const void *[]){cache, index}, (void *[]){rows},
                       &error))
        return fail(&error);
    printf("heads -1, 0, 2 begin with %d %d %d\n", rows[0][0], rows[1][0], rows[2][0]);
    return 0;
}

int main(void)
{
    ztl_ops_op op = ztl_ops_tensor_scatter(1, ZTL_OPS_LINEAR);
    ztl_ops_tensor in[3], out;
    ztl_error error;
    ztl_ops_dense(&in[0], 8, 3, (int64_t[]){HEADS, LENGTH, WIDTH});
    ztl_ops_dense(&in[1], 8, 3, (int64_t[]){HEADS, 1, WIDTH});
    ztl_ops_dense(&in[2], 32, 0, NULL);
    if (!ztl_ops_infer(&op, in, 3, &out, 1, &error))
        return fail(&error);
    ztl_ops_plan *plan = ztl_ops_plan_new(&op, in, 3, &out, 1, NULL, &error);
    if (!plan)
        return fail(&error);
    int status = grow(plan);
    ztl_ops_plan_free(plan);
    return status ? status : pick();
}
