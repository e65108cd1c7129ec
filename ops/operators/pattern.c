/* SPDX-License-Identifier: Apache-2.0
 * Patterns in einops' language, read: which axes each side has, and how long they are.
 */
#include "ops/operators/pattern.h"

#include <limits.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool wrong(const ops_pattern *p, const char *what, const char *at, size_t length)
{
    return ztl_ops_fail(p->call->error, "pattern '%s': %s '%.*s'", p->call->op->pattern, what,
                        (int)length, at);
}

/* The next word: a bracket, ..., a name or a number. 0 at the end of the side. */
static size_t next_word(const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\t' || **at == '\n'))
        ++*at;
    size_t length = 0, room = (size_t)(end - *at);
    if (room >= 3 && !strncmp(*at, "...", 3))
        return 3;
    while (length < room && (is_letter((*at)[length]) || is_digit((*at)[length])))
        length++;
    return length ? length : room > 0;
}

static pattern_axis *find(ops_pattern *p, const char *name, size_t length, unsigned ordinal)
{
    for (unsigned i = 0; i < p->axes; i++) {
        pattern_axis *axis = &p->axis[i];
        if (axis->length == length && axis->ordinal == ordinal &&
            !strncmp(axis->name, name, length))
            return axis;
    }
    return NULL;
}

/* A decimal number of some digits; -1 if it is none, or too large. */
static int64_t whole(const char *text, size_t length)
{
    int64_t value = 0;
    for (size_t i = 0; i < length; i++)
        if (!is_digit(text[i]) || value > (INT64_MAX - 9) / 10)
            return -1;
        else
            value = 10 * value + (text[i] - '0');
    return length ? value : -1;
}

/* One axis of a side, a part of the dimension that is counted last. */
static bool add_axis(ops_pattern *p, unsigned k, const char *name, size_t length, unsigned ordinal)
{
    pattern_side *side = &p->side[k];
    pattern_axis *axis = is_digit(*name) ? NULL : find(p, name, length, ordinal);
    if (axis && axis->is_on[k])
        return wrong(p, "more than one axis", name, length);
    if (!axis) {
        if (p->axes == OPS_MAP_DIMS)
            return wrong(p, "more than 16 axes, from", name, length);
        axis = &p->axis[p->axes++];
        *axis = (pattern_axis){.name = name, .length = length, .ordinal = ordinal, .n = -1};
        if (is_digit(*name))
            axis->n = whole(name, length);
    }
    axis->is_on[k] = true;
    side->item[side->count].axis = (uint8_t)(axis - p->axis);
    side->item[side->count++].dim = (uint8_t)(side->rank - 1);
    return true;
}

/* A new dimension of the tensor. */
static bool add_dim(ops_pattern *p, unsigned k)
{
    if (p->side[k].rank == ZTL_OPS_RANK)
        return ztl_ops_fail(p->call->error, "pattern '%s': the %s side has more than %d dimensions",
                            p->call->op->pattern, k ? "right" : "left", ZTL_OPS_RANK);
    p->side[k].rank++;
    return true;
}

/* A word that is no bracket. */
static bool add_word(ops_pattern *p, unsigned k, const char *at, size_t length, bool is_inside)
{
    bool is_new = p->call->op->kind == ZTL_OPS_REPEAT && k == PATTERN_RIGHT;
    if (*at == '.' && length == 3) {
        for (unsigned i = 0; i < p->hidden; i++)
            if ((!is_inside && !add_dim(p, k)) || !add_axis(p, k, at, length, i + 1))
                return false;
        return true;
    }
    if (is_digit(*at) ? whole(at, length) < 1 : !is_letter(*at) || *at == '_')
        return wrong(p, "there is no axis", at, length);
    if (is_digit(*at) && whole(at, length) != 1 && !is_new)
        return wrong(p, "only repeat, and there the right side, takes the number", at, length);
    if (!is_inside && !add_dim(p, k))
        return false;
    return whole(at, length) == 1 || add_axis(p, k, at, length, 0);
}

static bool read_side(ops_pattern *p, unsigned k, const char *at, const char *end)
{
    bool is_inside = false, has_dots = false;
    for (size_t length; (length = next_word(&at, end)); at += length) {
        if (*at == '(' || *at == ')') {
            if (is_inside == (*at == '('))
                return wrong(p, "no partner for", at, 1);
            is_inside = *at == '(';
            if (is_inside && !add_dim(p, k))
                return false;
            continue;
        }
        bool is_dots = length == 3 && *at == '.';
        if (is_dots && (has_dots || (is_inside && k == PATTERN_LEFT)))
            return wrong(p, has_dots ? "more than one" : "within brackets on the left side:", at,
                         3);
        has_dots |= is_dots;
        if (!add_word(p, k, at, length, is_inside))
            return false;
    }
    return is_inside ? wrong(p, "no partner for", "(", 1) : true;
}

/* How many axes ... stands for: the dimensions of the input that the left side does not name. */
static bool count_hidden(ops_pattern *p, const char *at, const char *end)
{
    unsigned named = 0, inside = 0;
    bool has_dots = false;
    for (size_t length; (length = next_word(&at, end)); at += length) {
        bool is_dots = length == 3 && *at == '.';
        has_dots |= is_dots;
        named += *at == '(' || (!inside && *at != ')' && !is_dots);
        inside = *at == '(' ? 1 : *at == ')' ? 0 : inside;
    }
    unsigned rank = p->call->in->rank;
    if (has_dots ? rank < named : rank != named)
        return ztl_ops_fail(p->call->error,
                            "pattern '%s': the left side has %s%u dimensions, the "
                            "input has %u",
                            p->call->op->pattern, has_dots ? "at least " : "", named, rank);
    p->hidden = has_dots ? rank - named : 0;
    return true;
}

/* p=2,q=3 */
static bool read_lengths(ops_pattern *p)
{
    const char *at = p->call->op->lengths;
    while (at && *at) {
        size_t name = strcspn(at, "=,"), all = strcspn(at, ",");
        int64_t n = name < all ? whole(at + name + 1, all - name - 1) : -1;
        pattern_axis *axis = find(p, at, name, 0);
        if (n < 0)
            return ztl_ops_fail(p->call->error, "lengths: '%.*s' is not like p=2", (int)all, at);
        if (!axis)
            return ztl_ops_fail(p->call->error, "lengths: the pattern '%s' has no axis '%.*s'",
                                p->call->op->pattern, (int)name, at);
        if (axis->n >= 0 && axis->n != n)
            return ztl_ops_fail(p->call->error, "lengths: '%.*s' is given twice", (int)name, at);
        axis->n = n;
        at += all + (at[all] == ',');
    }
    return true;
}

/* The lengths of the axes of one dimension of the input, of which one may be unknown. */
static bool fit(ops_pattern *p, unsigned dim)
{
    int64_t known = 1, extent = p->call->in->extent[dim];
    pattern_axis *open = NULL;
    const pattern_side *left = &p->side[PATTERN_LEFT];
    for (unsigned i = 0; i < left->count; i++) {
        pattern_axis *axis = &p->axis[left->item[i].axis];
        if (left->item[i].dim != dim)
            continue;
        if (axis->n < 0 && open)
            return wrong(p, "the lengths of two axes of a dimension are not known; give that of",
                         axis->name, axis->length);
        if (axis->n < 0)
            open = axis;
        else if (__builtin_mul_overflow(known, axis->n, &known))
            known = INT64_MAX;
    }
    if (open ? known == 0 || extent % known : extent != known)
        return ztl_ops_fail(p->call->error,
                            "pattern '%s': dimension %u of the input is %lld, "
                            "%s %lld",
                            p->call->op->pattern, dim, (long long)extent,
                            open ? "no multiple of" : "not", (long long)known);
    if (open)
        open->n = extent / known;
    return true;
}

/* All axes are on both sides, but for those that repeat makes. */
static bool check_sides(const ops_pattern *p)
{
    bool is_repeat = p->call->op->kind == ZTL_OPS_REPEAT;
    for (unsigned i = 0; i < p->axes; i++) {
        const pattern_axis *axis = &p->axis[i];
        if (!axis->is_on[PATTERN_RIGHT])
            return wrong(p, "only the left side has", axis->name, axis->length);
        if (axis->is_on[PATTERN_LEFT])
            continue;
        if (!is_repeat)
            return wrong(p, "only the right side has (repeat makes new axes)", axis->name,
                         axis->length);
        if (axis->n < 0)
            return wrong(p, "a new axis needs a length:", axis->name, axis->length);
    }
    return true;
}

bool ztl_ops_read_pattern(ops_pattern *p, const ops_call *call)
{
    const char *text = call->op->pattern, *arrow = text ? strstr(text, "->") : NULL;
    *p = (ops_pattern){.call = call};
    if (!text)
        return ztl_ops_fail(call->error, "a pattern is needed, such as 'h w c -> c h w'");
    if (!arrow || strstr(arrow + 2, "->"))
        return ztl_ops_fail(call->error, "pattern '%s': one -> is needed", text);
    const char *end = arrow + strlen(arrow);
    if (!count_hidden(p, text, arrow) || !read_side(p, PATTERN_LEFT, text, arrow) ||
        !read_side(p, PATTERN_RIGHT, arrow + 2, end) || !read_lengths(p))
        return false;
    for (unsigned d = 0; d < p->side[PATTERN_LEFT].rank; d++)
        if (!fit(p, d))
            return false;
    return check_sides(p);
}
