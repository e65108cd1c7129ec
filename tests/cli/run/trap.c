/* SPDX-License-Identifier: Apache-2.0
 * Ways to go wrong, one for each letter.
 */
#include <stdint.h>

__asm__(".option arch, +zicsr");

__attribute__((aligned(4))) static void own_handler(void)
{
    extern void exit(int);
    exit(5);
}

static int recurse(volatile char *above, int depth)
{
    volatile char frame[4096];
    frame[0] = above[0];
    return recurse(frame, depth + 1) + frame[0];
}

int main(int argc, char **argv)
{
    volatile char start = 1;
    switch (argc > 1 ? argv[1][0] : 0) {
    case 'n': /* null */
        *(volatile int *)0 = 1;
        break;
    case 'j': /* jump nowhere */
        ((void (*)(void))0x1234)();
        break;
    case 'w': /* the last addresses, and around them */
        return *(volatile int *)(uintptr_t)-2;
    case 'i': /* no instruction */
        __asm__ volatile(".word 0x0000000b");
        break;
    case 'h': /* with a handler of its own */
        __asm__ volatile("csrw mtvec, %0\n.half 0" ::"r"(own_handler));
        break;
    case 'l': /* a handler that never ends */
        __asm__ volatile("la t0, 1f\ncsrw mtvec, t0\n.half 0\n.balign 4\n1: j 1b" ::: "t0");
        break;
    case 'r': /* a handler that traps */
        __asm__ volatile("la t0, 1f\ncsrw mtvec, t0\n.half 0\n.balign 4\n1: .half 0" ::: "t0");
        break;
    case 'R': /* a handler whose second instruction traps */
        __asm__ volatile("la t0, 1f\ncsrw mtvec, t0\n.half 0\n.balign 4\n1: nop\n.half 0" ::: "t0");
        break;
    case 'm': /* a handler that is nowhere */
        __asm__ volatile("csrw mtvec, %0\n.half 0" ::"r"(0x40));
        break;
    case 's': /* through the end of the stack */
        return recurse(&start, 0);
    case 'z': /* asleep */
        __asm__ volatile("wfi");
        break;
    case 'f': /* for ever */
        for (;;)
            ;
    case 'e':
        __asm__ volatile("ecall");
        break;
    default:
        return 0;
    }
    return 99;
}
