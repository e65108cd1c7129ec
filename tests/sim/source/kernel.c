/* SPDX-License-Identifier: Apache-2.0
 * What kernels make gcc print: loops, tables, calls, floating point, switches, Ztl by .insn.
 */
typedef unsigned char byte;
typedef struct {
    short a;
    int b;
    double c;
    const char *name;
} row;

static row table[] = {{1, 2, 3.5, "first"}, {-1, -2, 1e300, "se\"cond\n\\"}};
byte pixels[4096];
static int total;
const float weights[4] = {0.5f, -1.0f, 3e-20f, 7.0f};
extern int elsewhere(int n, row *r);

int elsewhere(int n, row *r)
{
    return n + r->a;
}

static inline void load(const void *from)
{
    register const void *address __asm__("a5") = from;
    __asm__ volatile(".insn i 0x5b, 0x0, x1, %0, 0x100" : : "r"(address) : "memory");
    __asm__ volatile(".insn r 0x5b, 2, 5, x4, x3, x2");
    __asm__ volatile("csrw 0x800, %0" : : "rK"(7));
    __asm__ volatile("csrw 0x800, %0" : : "rK"(70000));
}

int classify(int n)
{
    switch (n) {
    case 0:
        return 12;
    case 1:
        return elsewhere(n, table);
    case 2:
        return table[1].b;
    case 3:
        return total * 3;
    case 4:
        return n << 9;
    case 5:
        return (int)table[0].c;
    case 6:
        return (int)weights[2];
    default:
        return -1;
    }
}

float sum(const float *x, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * weights[i & 3];
    return s;
}

long long wide(long long a, unsigned long long b)
{
    return a * 0x123456789abcdefLL + (long long)(b >> 13) + (a > 0x7fffffff0LL);
}

int main(void)
{
    for (int i = 0; i < 4096; i++)
        pixels[i] = (byte)(i * 7 + (i >> 3));
    load(pixels);
    for (int i = 0; i < 10; i++)
        total += classify(i) + pixels[i * 31];
    return total + (int)sum(weights, 4) + (int)wide(total, 3) + table[total & 1].name[2];
}
