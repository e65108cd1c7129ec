// SPDX-License-Identifier: Apache-2.0
// The imports that match ztl_dpi.h, and a bench that compares a transpose with the model.
package ztl_dpi;
  import "DPI-C" function chandle ztl_dpi_create(input string isa, input longint base, input longint size);
  import "DPI-C" function void ztl_dpi_destroy(input chandle hart);
  import "DPI-C" function void ztl_dpi_reset(input chandle hart);
  import "DPI-C" function longint ztl_dpi_x(input chandle hart, input int index);
  import "DPI-C" function void ztl_dpi_set_x(input chandle hart, input int index, input longint value);
  import "DPI-C" function longint ztl_dpi_csr(input chandle hart, input int address);
  import "DPI-C" function int ztl_dpi_set_csr(input chandle hart, input int address, input longint value);
  import "DPI-C" function longint ztl_dpi_pc(input chandle hart);
  import "DPI-C" function longint ztl_dpi_tl(input chandle hart, input int index, input int word);
  import "DPI-C" function void ztl_dpi_set_tl(input chandle hart, input int index, input int word, input longint value);
  import "DPI-C" function int ztl_dpi_peek(input chandle hart, input longint address);
  import "DPI-C" function void ztl_dpi_poke(input chandle hart, input longint address, input int value);
  import "DPI-C" function int ztl_dpi_execute(input chandle hart, input int word);
  import "DPI-C" function longint ztl_dpi_tval(input chandle hart);
  import "DPI-C" function int ztl_dpi_reason(input chandle hart);
endpackage

module bench;
  import ztl_dpi::*;
  initial begin
    automatic chandle hart = ztl_dpi_create("rv64imac_zicsr_ztl", 64'h80000000, 64'h10000);
    if (hart == null) $fatal(1, "no hart");
    for (int word = 0; word < 128; word++) ztl_dpi_set_tl(hart, 1, word, longint'(word));
    ztl_dpi_set_x(hart, 10, 64'h01014020);  // D0=32 D1=64 D2=1 D3=1
    if (ztl_dpi_execute(hart, 32'h0220b55b) != 0)  // tl.xpose.01 tl1, tl2, a0
      $fatal(1, "trap, reason %0d", ztl_dpi_reason(hart));
    // Column 0 of the 32 x 64 tensor is row 0 of the result: element r is byte 64·r of the input.
    for (int r = 0; r < 16; r++)
      if (8'(ztl_dpi_tl(hart, 1, r / 8) >> (8 * (r % 8))) != 8'(8 * r)) $fatal(1, "row %0d", r);
    $display("the transpose agrees with the model");
    ztl_dpi_destroy(hart);
    $finish;
  end
endmodule
