// SPDX-License-Identifier: Apache-2.0
// The imports that match ztl_dpi.h. block[i] is byte i of a register or of memory.
package ztl_dpi;
  typedef bit [1023:0][7:0] ztl_block;

  import "DPI-C" function chandle ztl_dpi_create(input string isa, input longint base, input longint size);
  import "DPI-C" function void ztl_dpi_destroy(input chandle hart);
  import "DPI-C" function void ztl_dpi_reset(input chandle hart);
  import "DPI-C" function longint ztl_dpi_x(input chandle hart, input int index);
  import "DPI-C" function void ztl_dpi_set_x(input chandle hart, input int index, input longint value);
  import "DPI-C" function longint ztl_dpi_csr(input chandle hart, input int address);
  import "DPI-C" function int ztl_dpi_set_csr(input chandle hart, input int address, input longint value);
  import "DPI-C" function longint ztl_dpi_pc(input chandle hart);
  import "DPI-C" function void ztl_dpi_set_pc(input chandle hart, input longint pc);
  import "DPI-C" function int ztl_dpi_tl(input chandle hart, input int index, output ztl_block block);
  import "DPI-C" function int ztl_dpi_set_tl(input chandle hart, input int index, input ztl_block block);
  import "DPI-C" function int ztl_dpi_memory(input chandle hart, input longint address, output ztl_block block);
  import "DPI-C" function int ztl_dpi_set_memory(input chandle hart, input longint address, input ztl_block block);
  import "DPI-C" function int ztl_dpi_execute(input chandle hart, input int word);
  import "DPI-C" function longint ztl_dpi_tval(input chandle hart);
  import "DPI-C" function int ztl_dpi_reason(input chandle hart);
  import "DPI-C" function int ztl_dpi_step(input chandle hart);
  import "DPI-C" function string ztl_dpi_text(input chandle hart, input longint pc, input int word);
endpackage
