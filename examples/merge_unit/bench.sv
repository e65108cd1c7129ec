// SPDX-License-Identifier: Apache-2.0
// The unit beside the model: each instruction runs in both. With the library installed,
//
//   $ verilator --binary --top bench ../dpi/ztl_dpi.sv merge_unit.sv bench.sv ../dpi/ztl_dpi.c -LDFLAGS -lztl
//
// builds obj_dir/Vbench.
module bench;
  import ztl_dpi::*;

  localparam int Tshape = 32'h800, Rounds = 300, Shape = 3;
  localparam int TmaskConcat1 = 32'h810;

  logic clk = 0, reset = 1, start = 0, busy, illegal;
  logic [1:0] d;
  logic [23:0] shape;
  logic [31:0] mask;
  ztl_block a, b, old, result;
  merge_unit unit (.*);

  chandle hart;
  int legal = 0;

  task automatic tick;
    #1 clk = 1;
    #1 clk = 0;
  endtask

  // Dimensions from 0 to 63, most of them small; about half of the shapes are legal.
  function automatic bit [7:0] dimension;
    bit [2:0] width = 3'($urandom % 7);
    return 8'($urandom % (1 << width)) + 8'($urandom % 8 != 0 ? 1 : 0);
  endfunction

  // The unit's inputs are assigned as wholes. Of a variable that a process with delays assigns only in
  // parts (a[i] = ...), Verilator 5.006 does not see that it changes: the port keeps its first value.
  // Only where the unit is inlined, so not with -O0, are port and variable one and the same.
  task automatic choose;
    ztl_block x, y, z;
    for (int i = 0; i < 1024; i++) {x[i], y[i], z[i]} = 24'($urandom);
    a = x;
    b = y;
    old = z;
    shape = {dimension(), dimension(), dimension()};
    mask = $urandom;
    d = 2'($urandom % 3);
  endtask

  // tl.merge.d tl3, tl1, tl2 on the model: 0, or the reason of its trap.
  task automatic run_model(output int reason, output ztl_block expected);
    int word = 32'h0820_91db | int'(d) << 25;
    if (ztl_dpi_set_tl(hart, 1, a) != 0 || ztl_dpi_set_tl(hart, 2, b) != 0 ||
        ztl_dpi_set_tl(hart, 3, old) != 0)
      $fatal(1, "no registers");
    if (ztl_dpi_set_csr(hart, Tshape, 64'(shape)) != 0 ||
        ztl_dpi_set_csr(hart, TmaskConcat1, 64'(mask)) != 0)
      $fatal(1, "no CSRs");
    reason = 0;
    if (ztl_dpi_execute(hart, word) != 0) reason = ztl_dpi_reason(hart);  // in this order
    if (ztl_dpi_tl(hart, 3, expected) != 0) $fatal(1, "no tl3");
  endtask

  task automatic compare;
    int reason, cycles = 0;
    ztl_block expected;
    choose();
    run_model(reason, expected);
    start = 1;
    tick();
    start = 0;
    while (busy && cycles < 2000) begin
      tick();
      cycles++;
    end
    if (busy) $fatal(1, "shape %06x: the unit does not end", shape);
    if (illegal != (reason == Shape) || (reason != 0 && reason != Shape))
      $fatal(1, "shape %06x, merge.%0d: illegal %0d, reason %0d", shape, d, illegal, reason);
    for (int i = 0; i < 1024; i++)
      if (reason == 0 && result[i] != expected[i])
        $fatal(1, "shape %06x, merge.%0d: byte %0d is %02x, not %02x", shape, d, i, result[i], expected[i]);
    if (reason == 0) legal++;
  endtask

  initial begin
    hart = ztl_dpi_create("rv64imac_zicsr_ztl", 64'h80000000, 64'h10000);
    if (hart == null) $fatal(1, "no hart");
    tick();
    reset = 0;
    for (int round = 0; round < Rounds; round++) compare();
    ztl_dpi_destroy(hart);
    if (legal < Rounds / 5 || legal > Rounds * 4 / 5) $fatal(1, "%0d legal shapes", legal);
    $display("the unit agrees with the model on %0d instructions", Rounds);
    $finish;
  end
endmodule
