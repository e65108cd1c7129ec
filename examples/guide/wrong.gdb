# SPDX-License-Identifier: Apache-2.0
set confirm off
target remote gdb.socket
break wrong.c:19
continue
print $tl1.u8[0]
print $tl2.u8[0]
kill
