/* SPDX-License-Identifier: Apache-2.0
 * Reading one part of an ISA string, such as ztlx1p0, with the reason why it is refused.
 */
#include "codec/isa_part.h"

enum { STEM = 3 }; /* ztl */

bool ztl_isa_part_is_ours(const char *name, size_t length)
{
    return length >= STEM && ztl_same_word(name, STEM, "ztl");
}

/* The revision of a version, 1p0 or 2p0; none means 2p0; 0 for another. */
static unsigned revision_of(const char *version, size_t length)
{
    if (length == 0 || ztl_same_word(version, length, "2p0"))
        return 2;
    return ztl_same_word(version, length, "1p0") ? 1 : 0;
}

/* Which sub-extension a letter is: its index, or ZTL_SUBSETS for none. */
static unsigned subset_of(char letter)
{
    unsigned i = 0;
    while (i < ZTL_SUBSETS && ztl_subset_letter(i) != ztl_lower(letter))
        i++;
    return i;
}

static bool fail(ztl_text *problem, const char *name, size_t length, const char *what)
{
    ztl_text_add(problem, "'");
    ztl_text_part(problem, name, length);
    ztl_text_add(problem, what);
    return false;
}

bool ztl_isa_part_add(ztl_isa_part *part, const char *name, size_t length, ztl_text *problem)
{
    unsigned which = length > STEM ? subset_of(name[STEM]) : ZTL_SUBSETS;
    bool whole = which == ZTL_SUBSETS;
    size_t version = whole ? STEM : STEM + 1;
    unsigned revision = revision_of(name + version, length - version);
    if (!revision)
        return fail(problem, name, length, "' is no Ztl extension; as in ztl, ztlx1p0, ztlm2p0");
    if (!whole && !ztl_subset_in(which, revision))
        return fail(problem, name, length,
                    revision == 1 ? "': Ztl 1 has no such sub-extension"
                                  : "': Ztl 2 has no such sub-extension");
    if (part->revision && part->revision != revision)
        return fail(problem, name, length, "': Ztl 1 and Ztl 2 cannot be mixed");
    if (part->names >> which & 1)
        return fail(problem, name, length, "' stands there twice");
    part->revision = revision;
    part->names |= 1u << which;
    part->subsets |= whole ? ztl_subsets_of(revision) : 1u << which;
    return true;
}
