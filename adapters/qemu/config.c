/* SPDX-License-Identifier: Apache-2.0
 * The Ztl part of an ISA string.
 */
#include "adapters/qemu/emulate.h"

#include "codec/isa_part.h"

bool ztl_config_of_isa(const char *isa, ztl_config *config, ztl_error *error)
{
    ztl_isa_part part = {0};
    ztl_text problem = ztl_text_error(error);
    for (const char *name = isa; *name;) {
        size_t length = 0;
        while (name[length] && name[length] != '_')
            length++;
        if (ztl_isa_part_is_ours(name, length) && !ztl_isa_part_add(&part, name, length, &problem))
            return false;
        name += length + (name[length] == '_');
    }
    config->subsets = part.subsets;
    config->revision = part.revision ? part.revision : ZTL_REVISIONS;
    return true;
}
