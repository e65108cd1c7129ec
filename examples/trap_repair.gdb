# SPDX-License-Identifier: Apache-2.0
# Looks over the shoulder of trap_repair.c: why each trap came, and what the register holds in the
# end, as bytes and as numbers of 16 bits.
set pagination off
break repair
commands
  silent
  printf "trap: cause %d, reason %d, ttype %#x, tshape %#x, load width %d\n", $mcause, $tl_xpose_status & 0xff, $ttype, $tshape, $tl_load_width
  continue
end
tbreak exit
continue
printf "tl1 as bytes: %d %d %d %d ...\n", $tl1.u8[0], $tl1.u8[1], $tl1.u8[2], $tl1.u8[3]
printf "tl1 as int16: %d %d ... %d\n", $tl1.i16[0], $tl1.i16[1], $tl1.i16[511]
detach
