/* SPDX-License-Identifier: Apache-2.0
 * Assembles a file without other tools: source_tool ISA BASE FILE [LINES]
 * Prints the bytes in hexadecimal, the entry and the labels; or each mistake with its line. With
 * LINES, the address and the line of each instruction instead.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <ztl/source.h>

static char *read_all(const char *path)
{
    enum { MOST = 8 << 20 };
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, MOST + 1);
    if (file && text && fread(text, 1, MOST, file) < MOST)
        fclose(file);
    else
        exit(2);
    return text;
}

static void print(const ztl_source *source)
{
    size_t size;
    const uint8_t *bytes = ztl_source_bytes(source, &size);
    for (size_t i = 0; i < size; i++)
        printf("%02x", bytes[i]);
    printf("\n%" PRIx64 "\n", ztl_source_entry(source));
    for (size_t i = 0; ztl_source_label_at(source, i).name; i++)
        printf("%" PRIx64 " %s\n", ztl_source_label_at(source, i).address,
               ztl_source_label_at(source, i).name);
}

static void print_lines(const ztl_source *source, uint64_t base)
{
    size_t size;
    ztl_source_bytes(source, &size);
    for (size_t i = 0; i < size; i += 2)
        if (ztl_source_line_of(source, base + i))
            printf("%zx %u\n", i, ztl_source_line_of(source, base + i));
}

int main(int argc, char **argv)
{
    ztl_error error;
    ztl_hart_isa isa;
    if (argc < 4 || !ztl_hart_isa_parse(argv[1], &isa, &error))
        return 2;
    uint64_t base = strtoull(argv[2], NULL, 0);
    char *text = read_all(argv[3]);
    ztl_source *source = ztl_source_assemble(text, &isa, base);
    const ztl_source_error *wrong = NULL;
    for (size_t i = 0; source && ztl_source_error_at(source, i); i++) {
        wrong = ztl_source_error_at(source, i);
        printf("%u: %s\n", wrong->line, wrong->text);
    }
    if (source && !wrong && argc == 4)
        print(source);
    else if (source && !wrong)
        print_lines(source, base);
    bool done = source && !wrong;
    ztl_source_free(source);
    free(text);
    return !done;
}
