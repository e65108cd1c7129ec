/* SPDX-License-Identifier: Apache-2.0
 * All words of the pictures, in each language: one line is one text, and the compiler checks what
 * ZTL_SAY gives both of its forms. A text without values is a ZTL_WORD.
 */
#ifndef ZTL_DRAW_WORDS_H
#define ZTL_DRAW_WORDS_H

#include <inttypes.h>
#include <stdio.h>

typedef enum ztl_language { ZTL_ENGLISH, ZTL_CHINESE } ztl_language;

/* ZTL_SAY(language, text, size, ZTL_T_…, values): as snprintf. */
#define ZTL_SAY(language, text, size, ...) ZTL_SAY_(language, text, size, __VA_ARGS__)
#define ZTL_SAY_(language, text, size, english, chinese, ...)                                      \
    snprintf(text, size, (language) == ZTL_CHINESE ? chinese : english, __VA_ARGS__)
#define ZTL_WORD(language, ...)               ZTL_WORD_(language, __VA_ARGS__)
#define ZTL_WORD_(language, english, chinese) ((language) == ZTL_CHINESE ? chinese : english)

/* Titles of panels. */
#define ZTL_T_BEFORE   "before %s", "执行前 %s"
#define ZTL_T_AFTER    "after %s", "执行后 %s"
#define ZTL_T_AFTER_TL "after: tl%u", "执行后：tl%u"
#define ZTL_T_DRAWN    ", drawn ", "，图中画出 "
#define ZTL_T_SUMS_BEFORE                                                                          \
    "before: tl%u, %s, %u of %u elements", "执行前：tl%u，类型 %s，画出 %u 个元素，共 %u 个"
#define ZTL_T_SUMS_AFTER                                                                           \
    "after: tl%u, %s, %u of %u elements", "执行后：tl%u，类型 %s，画出 %u 个元素，共 %u 个"
#define ZTL_T_MEMORY                                                                               \
    "memory, in slices of %zu byte%s from 0x%" PRIx64 " on",                                       \
        "内存，切片宽 %zu 字节%s，从 0x%" PRIx64 " 起"
#define ZTL_T_MEMORY_AFTER                                                                         \
    "memory after, in slices of %zu byte%s from 0x%" PRIx64 " on",                                 \
        "执行后的内存，切片宽 %zu 字节%s，从 0x%" PRIx64 " 起"
#define ZTL_T_REGISTER       "tl%u, byte 0 first", "tl%u，从字节 0 开始"
#define ZTL_T_REGISTER_AFTER "tl%u after, byte 0 first", "执行后的 tl%u，从字节 0 开始"
#define ZTL_T_FILE           "The tensor registers of Ztl %u", "Ztl %u 的张量寄存器"
#define ZTL_T_FILE_SIZE      "%d registers of %d bytes", "%d 个寄存器，每个 %d 字节"
#define ZTL_T_FIRST_BYTES    "elements in the first 8 bytes of a register", "寄存器前 8 个字节中的元素"
#define ZTL_T_BLOCK                                                                                \
    "elements of a block %s: bytes 0 to %u of a register", "数据块 %s：占寄存器的字节 0 到 %u"
#define ZTL_T_TENSOR                                                                                     \
    "elements of a tensor %s: bytes 0 to %u of a pair", "张量 %s：占一对寄存器的字节 0 到 " \
                                                        "%u"

/* Labels of cells and rows. */
#define ZTL_T_REST  "rest", "其余"
#define ZTL_T_FIXED "fixed", "固定"
#define ZTL_T_BITS  "%u bits", "%u 位"

/* What a cell says when it is pointed at. */
#define ZTL_T_ELEMENT     "tl%u element %zu", "tl%u 的元素 %zu"
#define ZTL_T_WAS_ELEMENT ", was tl%u element %zu", "，原为 tl%u 的元素 %zu"
#define ZTL_T_OF_ELEMENT  ", of tl%u element %zu", "，由 tl%u 的元素 %zu 得出"
#define ZTL_T_IS_ZERO     ", 0", "，为 0"
#define ZTL_T_KEEPS       ", keeps its value", "，保持原值"
#define ZTL_T_ADDRESSES   "0x%" PRIx64 " to 0x%" PRIx64, "0x%" PRIx64 " 到 0x%" PRIx64
#define ZTL_T_BYTES       "tl%u bytes %zu to %zu", "tl%u 的字节 %zu 到 %zu"
#define ZTL_T_WAS_BYTES   ", was tl%u bytes %zu to %zu", "，原为 tl%u 的字节 %zu 到 %zu"
#define ZTL_T_WERE_AT     ", were at 0x%" PRIx64, "，原在 0x%" PRIx64
#define ZTL_T_KEEP        ", keep their value", "，保持原值"
#define ZTL_T_NOT_STORED  ", not stored", "，不存储"
#define ZTL_T_AT_BYTE     ", byte %u", "，字节 %u"
#define ZTL_T_LOW_HALF    ", low half", "的低半字节"
#define ZTL_T_HIGH_HALF   ", high half", "的高半字节"

/* Notes below. */
#define ZTL_T_STRIDES "%s0 to %u = ", "%s0 到 %u = "
#define ZTL_T_NOTE_BLOCK                                                                           \
    "a label is the source and the index in it", "格中是来源，以及元素在其中的下标"
#define ZTL_T_NOTE_BLOCK_KEEPS                                                                     \
    "a label is the source and the index in it; - keeps its value",                                \
        "格中是来源，以及元素在其中的下标；- 表示保持原值"
#define ZTL_T_NOTE_AXES                                                                            \
    "D0 is down, D1 across; in each place, D2 down and D3 across",                                 \
        "D0 向下，D1 向右；每组之内 D2 向下，D3 向右"
#define ZTL_T_NOTE_BLOCK_AXES "D0 and D1 are down, D2 across", "D0 和 D1 向下，D2 向右"
#define ZTL_T_NOTE_SUMS                                                                            \
    "a label is the element's value; a colour, the element it depends on",                         \
        "格中是元素的值；颜色表示它由哪个元素得出"
#define ZTL_T_NOTE_ONE                                                                             \
    "tl%u is both halves: the second half of the result remains",                                  \
        "两半都是 tl%u：最后留下的是结果的后一半"
#define ZTL_T_NOTE_ZERO                                                                            \
    "tl0 is always 0: that half of the tensor is zeros, and of the result it is lost",             \
        "tl0 恒为 0：张量的这一半全是零，结果的这一半不保留"
#define ZTL_T_NOTE_PAIR                                                                            \
    "a label is the index before, of the dimensions that are not 1",                               \
        "格中是执行前的下标，省略大小为 1 的维"
#define ZTL_T_NOTE_LOAD                                                                            \
    "a label is the slice of memory, counted from the base", "格中是内存切片的编号，从基址数起"
#define ZTL_T_NOTE_MASKED                                                                          \
    "a label is the slice of memory, counted from the base; 0: masked off",                        \
        "格中是内存切片的编号，从基址数起；0 表示被掩码屏蔽"
#define ZTL_T_NOTE_REST "the rest of the register keeps its value", "寄存器的其余字节保持原值"
#define ZTL_T_NOTE_STORE                                                                           \
    "sN is slice N of the register; - keeps its value", "sN 是寄存器的第 N 个切片；- 表示保持原值"
#define ZTL_T_NOTE_NOTHING "no slice is accessed", "不访问任何切片"
#define ZTL_T_NOTE_SIZE                                                                            \
    "%u bits: a register holds %u, a pair %u.%s%s",                                                \
        "%u 位：一个寄存器容纳 %u 个，一对寄存器容纳 %u 个。%s%s"
#define ZTL_T_TYPES " Types:", "类型"
#define ZTL_T_NOTE_TENSOR                                                                          \
    "XPOSE and PERMUTE take the tensor from a pair of registers",                                  \
        "XPOSE 和 PERMUTE 的张量取自一对寄存器"

#endif
