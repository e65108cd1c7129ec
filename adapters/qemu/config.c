/* SPDX-License-Identifier: Apache-2.0
 * The Ztl part of an ISA string.
 */
#include "adapters/qemu/emulate.h"

#include "codec/text.h"

/* The sub-extensions that a name means, less its version; 0 when it is none of Ztl. */
static unsigned subsets_named(const char *name, size_t length, unsigned revision)
{
    if (ztl_same_word(name, length, "ztl"))
        return ztl_subsets_of(revision);
    for (size_t i = 0; i < ZTL_SUBSETS; i++)
        if (length == 4 && ztl_lower(name[3]) == ztl_subset_letter(i) && ztl_subset_in(i, revision))
            return 1u << i;
    return 0;
}

/* Takes a version off the end of a name: 1p0, 2p0, or none, which is 2p0. */
static unsigned take_version(const char *name, size_t *length)
{
    static const char *const versions[] = {"1p0", "2p0"};
    for (unsigned i = 0; i<ZTL_REVISIONS && * length> 3; i++) {
        if (ztl_same_word(name + *length - 3, 3, versions[i])) {
            *length -= 3;
            return i + 1;
        }
    }
    return ZTL_REVISIONS;
}

bool ztl_config_of_isa(const char *isa, ztl_config *config)
{
    unsigned subsets = 0, revision = 0;
    for (const char *name = isa; *name;) {
        size_t length = 0;
        while (name[length] && name[length] != '_')
            length++;
        size_t rest = length;
        if (length >= 3 && ztl_same_word(name, 3, "ztl")) {
            unsigned version = take_version(name, &rest);
            unsigned named = subsets_named(name, rest, version);
            if (!named || (revision && revision != version))
                return false;
            revision = version;
            subsets |= named;
        }
        name += length + (name[length] == '_');
    }
    config->subsets = subsets;
    config->revision = revision ? revision : ZTL_REVISIONS;
    return true;
}
