// SPDX-License-Identifier: Apache-2.0
// The unit as a library: what compare.py calls. Wide ports are plain memory, which it looks at.
#include <cstdint>

#include "Vmerge_unit.h"

extern "C" {

Vmerge_unit *unit_new()
{
    return new Vmerge_unit;
}

void unit_free(Vmerge_unit *unit)
{
    unit->final();
    delete unit;
}

// A rising and a falling edge of the clock.
void unit_tick(Vmerge_unit *unit)
{
    unit->clk = 1;
    unit->eval();
    unit->clk = 0;
    unit->eval();
}

void unit_set(Vmerge_unit *unit, int reset, int start, int d, uint32_t shape, uint32_t mask)
{
    unit->reset = reset;
    unit->start = start;
    unit->d = d;
    unit->shape = shape;
    unit->mask = mask;
}

int unit_busy(Vmerge_unit *unit)
{
    return unit->busy;
}

int unit_illegal(Vmerge_unit *unit)
{
    return unit->illegal;
}

// The bytes of a, b, old and the result.
void *unit_port(Vmerge_unit *unit, int index)
{
    void *const ports[] = {&unit->a[0], &unit->b[0], &unit->old[0], &unit->result[0]};
    return ports[index];
}
}
