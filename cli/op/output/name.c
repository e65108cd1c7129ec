/* SPDX-License-Identifier: Apache-2.0
 * The name of an emitted kernel: one that a C function can have beside all that the file has.
 */
#include <ctype.h>
#include <string.h>

#include "cli/op/output/emit.h"

/* Words of C and C++; what <stdio.h> and <string.h> declare; what the file defines itself. */
static const char taken[] =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char class co_await "
    "co_return co_yield compl concept const const_cast consteval constexpr constinit continue "
    "decltype default delete do double dynamic_cast else enum explicit export extern false float "
    "for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator "
    "or or_eq private protected public register reinterpret_cast requires restrict return short "
    "signed sizeof static static_assert static_cast struct switch template this thread_local throw "
    "true try typedef typeid typename typeof typeof_unqual union unsigned using virtual void "
    "volatile while xor xor_eq "
    "abort asprintf bcmp bcopy bzero calloc clearerr dprintf exit explicit_bzero fclose fdopen "
    "feof "
    "ferror fflush ffs ffsl ffsll fgetc fgetpos fgets fileno fls flsl flsll fmemopen fopen fprintf "
    "fputc fputs fread free freopen fscanf fseek fseeko fsetpos ftell ftello fwrite getc getchar "
    "getdelim getline gets imaxabs imaxdiv index kill_dependency main malloc memccpy memchr memcmp "
    "memcpy memmem memmove mempcpy memrchr memset offsetof open_memstream pclose perror popen "
    "printf putc putchar puts realloc remove rename rewind rindex scanf setbuf setbuffer "
    "setlinebuf "
    "setvbuf snprintf sprintf sscanf stderr stdin stdout stpcpy stpncpy strcasecmp strcat strchr "
    "strcmp strcoll strcpy strcspn strdup strerror strerror_r strlcat strlcpy strlen strlwr "
    "strncasecmp strncat strncmp strncpy strndup strnlen strnstr strpbrk strrchr strsep strsignal "
    "strspn strstr strtoimax strtok strtok_r strtoumax strupr strxfrm tempnam tmpfile tmpnam "
    "ungetc "
    "va_arg va_copy va_end va_list va_start vasprintf vfprintf vfscanf vprintf vscanf vsnprintf "
    "vsprintf vsscanf wcstoimax wcstoumax "
    "crc fill mask_of move_nibble nibble_at work ";

/* The beginnings of names that headers keep for themselves. */
static const char *const kept[] = {"_",     "PRI",          "SCN",          "L_tmp",
                                   "P_tmp", "atomic_",      "input",        "output",
                                   "ztl_",  "memory_order", "always_inline"};

static bool is_taken(const char *name, size_t length)
{
    for (const char *at = taken; (at = strstr(at, name)); at++)
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

static bool is_kept(const char *name, size_t length)
{
    if (length > 2 && !strcmp(name + length - 2, "_t"))
        return true;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (!strncmp(name, kept[i], strlen(kept[i])))
            return strncmp(name, "ztl_kernel", strlen("ztl_kernel")) != 0;
    return false;
}

bool ztl_op_emit_name(const char *name)
{
    enum { LONGEST = 60 };
    size_t length = strlen(name);
    bool has_small = false; /* a name in capitals throughout is a macro's */
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c >= 0x80 || (!isalnum(c) && c != '_') || (i == 0 && isdigit(c)))
            return false;
        has_small |= islower(c) != 0;
    }
    return has_small && length <= LONGEST && !is_taken(name, length) && !is_kept(name, length);
}
