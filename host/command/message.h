/* SPDX-License-Identifier: Apache-2.0
 * What a command says when something is wrong.
 */
#ifndef ZTL_HOST_MESSAGE_H
#define ZTL_HOST_MESSAGE_H

/* Writes "COMMAND: …" to standard error. Names of files and symbols are strangers' texts: line by
 * line the message is made fit for a terminal. */
__attribute__((format(printf, 2, 3))) void ztl_message(const char *command, const char *format,
                                                       ...);

#endif
