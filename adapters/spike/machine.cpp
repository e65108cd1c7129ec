/* SPDX-License-Identifier: Apache-2.0
 * The one place that uses a private member of Spike.
 */
#include "adapters/spike/machine.h"

namespace
{

template <simif_t *processor_t::*Member> struct reveal {
    friend simif_t *revealed(const processor_t &processor)
    {
        return processor.*Member;
    }
};
simif_t *revealed(const processor_t &processor);
template struct reveal<&processor_t::sim>;

} // namespace

simif_t *ztl_spike::machine_of(const processor_t &processor)
{
    return revealed(processor);
}
