/* SPDX-License-Identifier: Apache-2.0
 * From a hart of Spike to its machine.
 */
#ifndef ZTL_SPIKE_MACHINE_H
#define ZTL_SPIKE_MACHINE_H

#include <riscv/processor.h>
#include <riscv/simif.h>

namespace ztl_spike
{

/* Addresses of Ztl are physical, but a hart shows only its MMU, which translates and protects. Its
 * pointer to the machine is private; an explicit instantiation may name it all the same. */
simif_t *machine_of(const processor_t &processor);

} // namespace ztl_spike

#endif
