// SPDX-License-Identifier: Apache-2.0
// A bench around the model: where a design would stand, a function says what is right. With the
// library installed,
//
//   $ verilator --binary --top bench ztl_dpi.sv bench.sv ztl_dpi.c -LDFLAGS -lztl
//
// builds obj_dir/Vbench.
module bench;
  import ztl_dpi::*;

  localparam longint Ram = 64'h80000000;
  localparam int A0 = 10, Status = 32'h803, Tshape = 32'h800;

  // Byte i of the input: all bytes occur, and no row or column equals another.
  function automatic bit [7:0] original(int i);
    return 8'(i * 7 + i / 256);
  endfunction

  // A tensor of 32 rows of 64 bytes, as 64 rows of 32.
  function automatic bit [7:0] transposed(int i);
    return original((i % 32) * 64 + i / 32);
  endfunction

  chandle hart;

  task automatic run(int word);
    if (ztl_dpi_execute(hart, word) != 0)
      $fatal(1, "%08x traps, reason %0d, tval %0x", word, ztl_dpi_reason(hart), ztl_dpi_tval(hart));
  endtask

  task automatic check_pair;
    ztl_block block;
    for (int half = 0; half < 2; half++) begin
      if (ztl_dpi_tl(hart, 1 + half, block) != 0) $fatal(1, "no tl%0d", 1 + half);
      for (int i = 0; i < 1024; i++)
        if (block[i] != transposed(1024 * half + i))
          $fatal(1, "tl%0d[%0d] is %02x", 1 + half, i, block[i]);
    end
  endtask

  // tl1 to memory and from there to tl3, as the hart does it and as the bench sees it.
  task automatic check_memory;
    ztl_block stored, loaded;
    if (ztl_dpi_set_csr(hart, Tshape, 64'h202001) != 0) $fatal(1, "no tshape");
    ztl_dpi_set_x(hart, A0, Ram + 4096);
    run(32'h2000855b);  // tl.store tl1, 0(a0)
    if (ztl_dpi_memory(hart, Ram + 4096, stored) != 0) $fatal(1, "no memory");
    for (int i = 0; i < 1024; i++)
      if (stored[i] != transposed(i)) $fatal(1, "byte %0d of memory is %02x", i, stored[i]);
    stored[1023] = ~stored[1023];
    if (ztl_dpi_set_memory(hart, Ram + 4096, stored) != 0) $fatal(1, "no memory");
    run(32'h0001855b);  // tl.load tl3, 0(a0)
    if (ztl_dpi_tl(hart, 3, loaded) != 0 || loaded != stored) $fatal(1, "tl3 differs");
  endtask

  // What cannot be: a shape, a register, memory.
  task automatic check_refusals;
    ztl_block block;
    ztl_dpi_set_x(hart, A0, 64'h01010101);
    if (ztl_dpi_execute(hart, 32'h0220b55b) != 3) $fatal(1, "no illegal instruction");
    if (ztl_dpi_reason(hart) != 3) $fatal(1, "reason %0d, not SHAPE", ztl_dpi_reason(hart));
    if (8'(ztl_dpi_csr(hart, Status)) != 3) $fatal(1, "tl_xpose_status does not tell");
    if (ztl_dpi_tl(hart, 32, block) != 1 || ztl_dpi_set_tl(hart, -1, block) != 1)
      $fatal(1, "a register too many");
    if (ztl_dpi_memory(hart, 0, block) != 1 || ztl_dpi_set_memory(hart, Ram + 64'hfc01, block) != 1)
      $fatal(1, "memory where there is none");
  endtask

  initial begin
    ztl_block low, high;
    hart = ztl_dpi_create("rv64imac_zicsr_ztl", Ram, 64'h10000);
    if (hart == null) $fatal(1, "no hart");
    for (int i = 0; i < 1024; i++) begin
      low[i] = original(i);
      high[i] = original(1024 + i);
    end
    if (ztl_dpi_set_tl(hart, 1, low) != 0 || ztl_dpi_set_tl(hart, 2, high) != 0)
      $fatal(1, "no registers");
    ztl_dpi_set_x(hart, A0, 64'h01014020);  // D0=32 D1=64 D2=1 D3=1
    run(32'h0220b55b);  // tl.xpose.01 tl1, tl2, a0
    check_pair();
    check_memory();
    check_refusals();
    $display("the model transposes, stores and loads as it should");
    ztl_dpi_destroy(hart);
    $finish;
  end
endmodule
