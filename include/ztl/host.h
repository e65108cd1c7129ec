/* SPDX-License-Identifier: Apache-2.0
 *
 * What a bare-metal program may ask of the machine around it: RISC-V semihosting, as picolibc uses
 * it, and HTIF (the words `tohost` and `fromhost`), as riscv-tests use it.
 *
 *     ztl_host_config config = {.output = my_output, .directory = "data"};
 *     ztl_host *host = ztl_host_create(&config, &error);
 *     ztl_host_attach(host, hart, program);
 *
 * The guest reaches the console through the two functions given, files only below the directory
 * given, and nothing else of the host.
 */
#ifndef ZTL_HOST_H
#define ZTL_HOST_H

#include <ztl/program.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ztl_host ztl_host;

typedef struct ztl_host_config {
    void *context;
    /* The guest's console; NULL discards. */
    void (*output)(void *context, bool is_error, const void *bytes, size_t size);
    /* At most `size` bytes for the guest to read; 0 is the end. NULL: nothing to read. */
    size_t (*input)(void *context, void *bytes, size_t size);
    /* Where the guest may open, create, rename and remove files; NULL: nowhere. Its names are
     * relative to it, go through no symbolic link and no "..", and reach only regular files. */
    const char *directory;
    const char *command_line; /* what SYS_GET_CMDLINE gives; NULL: empty */
    /* The guest asked for the command line and has no room for it: it gets an error, which C
     * libraries ignore. NULL: ignored. Sizes include the NUL. */
    void (*no_room)(void *context, size_t needed, size_t room);
} ztl_host_config;

/* NULL and a message when the directory cannot be opened. The command line must stay. */
ZTL_API ztl_host *ztl_host_create(const ztl_host_config *config, ztl_error *error);

/* Closes the guest's files. Detach the hart (ztl_hart_set_hooks) or destroy it before. */
ZTL_API void ztl_host_destroy(ztl_host *host);

/* Sets the hooks of the hart. The program, which may be NULL, says where tohost and fromhost are,
 * and where the heap starts. */
ZTL_API void ztl_host_attach(ztl_host *host, ztl_hart *hart, const ztl_program *program);

/* HTIF by words of 32 bits: a program that stored only the low half of tohost some 100,000
 * instructions ago means it as it stands, and is answered here. Call it now and then between runs;
 * true when the program has ended: ztl_hart_exit_code. */
ZTL_API bool ztl_host_poll(ztl_host *host, ztl_hart *hart);

#ifdef __cplusplus
}
#endif
#endif
