// SPDX-License-Identifier: Apache-2.0
// The model beside the machine: after each instruction, what the two have must be equal. At the first
// difference a report says which instruction it was, what differs, and what it depended on.
module lockstep
  import ztl_dpi::*;
#(
    parameter int RamSize
) (
    input logic done_trap,
    input logic [31:0] done_pc,
    input logic [31:0] done_word,
    input logic console,
    input logic ends
);
  localparam longint Ram = 64'h80000000;
  localparam logic [6:0] Custom2 = 7'h5b, StoreWord = 7'h23, System = 7'h73;

  bit differs = 0;
  chandle hart;
  int count = 0, traps = 0, ztl = 0;
  logic [31:0] last_pc[4], last_word[4];

  // The model starts with the memory of the machine.
  task automatic create;
    ztl_block block;
    hart = ztl_dpi_create("rv32i_zicsr_ztl", Ram, longint'(RamSize));
    if (hart == null) $fatal(1, "no model");
    for (int at = 0; at < RamSize; at += 1024) begin
      for (int i = 0; i < 1024; i++) block[i] = bench.dut.ram[at+i];
      if (ztl_dpi_set_memory(hart, Ram + longint'(at), block) != 0) $fatal(1, "no memory");
    end
  endtask

  // ---- What the machine has ----
  function automatic logic [31:0] csr_of(int address);
    case (address)
      32'h305: return bench.dut.core.mtvec;
      32'h340: return bench.dut.core.mscratch;
      32'h341: return bench.dut.core.mepc;
      32'h342: return bench.dut.core.mcause;
      32'h343: return bench.dut.core.mtval;
      32'h800: return 32'(bench.dut.unit.csrs.shape);
      32'h801: return 32'(bench.dut.unit.csrs.permutation);
      32'h803: return 32'(bench.dut.unit.csrs.status);
      32'h804: return 32'(bench.dut.unit.csrs.ttype);
      32'h810: return bench.dut.unit.csrs.mask_1;
      32'h811: return bench.dut.unit.csrs.mask_2;
      32'h812: return bench.dut.unit.csrs.load_mask;
      32'h813: return bench.dut.unit.csrs.store_mask;
      32'h815: return bench.dut.unit.csrs.load_width;
      32'h816: return bench.dut.unit.csrs.store_width;
      default:
      return address[5] ? bench.dut.unit.csrs.store_strides[address[4:0]]
                        : bench.dut.unit.csrs.load_strides[address[4:0]];
    endcase
  endfunction

  function automatic logic [7:0] tl_of(int register, int i);
    return {bench.dut.unit.tl[register*2048+2*i+1], bench.dut.unit.tl[register*2048+2*i]};
  endfunction

  // ---- The report ----
  // Byte i of a register that the instruction has written, as its shape counts.
  function automatic string place_of(int i);
    int d1, d2, element;
    d1 = int'(csr_of('h800) >> 8 & 255);
    d2 = int'(csr_of('h800) & 255);
    element = i * 8 / int'(bench.dut.unit.bits);
    case (done_word[14:12])
      0: return $sformatf(", byte %0d of slice %0d", i % int'(bench.dut.unit.slice_bytes),
                          i / int'(bench.dut.unit.slice_bytes));
      1: return $sformatf(", element [%0d, %0d, %0d]", element / d2 / d1, element / d2 % d1, element % d2);
      default: return $sformatf(", element %0d", element);
    endcase
  endfunction

  // What an instruction of Ztl can depend on.
  task automatic report_state;
    logic [4:0] rs;
    rs = done_word[11:7];
    $display("  tshape %0d x %0d x %0d, ttype %03x, tl_transpose_perm %02x, x%0d %08x", csr_of('h800) >> 16,
             csr_of('h800) >> 8 & 255, csr_of('h800) & 255, csr_of('h804), csr_of('h801), rs,
             bench.dut.core.x[rs]);
    $display("  tmask_concat_1 %08x, tmask_concat_2 %08x", csr_of('h810), csr_of('h811));
    $display("  tl_load_mask %08x, tl_load_width %0d, tl_store_mask %08x, tl_store_width %0d", csr_of('h812),
             csr_of('h815), csr_of('h813), csr_of('h816));
  endtask

  task automatic report(string what);
    if (differs) return;
    differs = 1;
    $display("unit and model differ after instruction %0d, cycle %0d", count, bench.cycle);
    for (int i = 3; i > 0; i--)
      if (count > i)
        $display("    %08x  %s", last_pc[i], ztl_dpi_text(hart, longint'(last_pc[i]), last_word[i]));
    $display("  > %08x  %s   (word %08x)", done_pc, ztl_dpi_text(hart, longint'(done_pc), done_word), done_word);
    $display("  %s", what);
    if (done_word[6:0] == Custom2) report_state();
  endtask

  task automatic expect_equal(string what, int index, logic [31:0] unit, logic [31:0] model);
    if (unit != model) report($sformatf("%s%0h: unit %08x, model %08x", what, index, unit, model));
  endtask

  // ---- The comparisons ----
  task automatic compare_csrs(int first, int last);
    for (int address = first; address <= last; address++)
      expect_equal("csr ", address, csr_of(address), 32'(ztl_dpi_csr(hart, address)));
  endtask

  task automatic compare_ztl;
    ztl_block model;
    int different, first;
    compare_csrs('h800, 'h801);
    compare_csrs('h803, 'h804);
    compare_csrs('h810, 'h813);
    compare_csrs('h815, 'h816);
    compare_csrs('h840, 'h87f);
    for (int r = 0; r < 32; r++) begin
      if (ztl_dpi_tl(hart, r, model) != 0) $fatal(1, "no tl%0d", r);
      different = 0;
      for (int i = 1023; i >= 0; i--)
        if (tl_of(r, i) != model[i]) begin
          different++;
          first = i;
        end
      if (different != 0)
        report($sformatf("tl%0d byte %0d%s: unit %02x, model %02x; %0d bytes differ", r, first, place_of(first),
                         tl_of(r, first), model[first], different));
    end
  endtask

  task automatic compare_memory;
    ztl_block model;
    for (int at = 0; at < RamSize; at += 1024) begin
      if (ztl_dpi_memory(hart, Ram + longint'(at), model) != 0) $fatal(1, "no memory");
      for (int i = 0; i < 1024; i++)
        if (bench.dut.ram[at+i] != model[i])
          report($sformatf("memory %08x: unit %02x, model %02x", 32'(Ram) + at + i, bench.dut.ram[at+i],
                           model[i]));
    end
  endtask

  // What an implementation has of its own is taken from the machine: mstatus, misa, counters, names.
  function automatic bit is_own(logic [11:0] csr);
    return csr[11:8] != 8 && csr != 12'h305 && (csr < 12'h340 || csr > 12'h343);
  endfunction

  task automatic compare_step;
    int model_trap, rd;
    rd = int'(done_word[11:7]);
    if (console || ends) begin  // which the model does not have
      ztl_dpi_set_pc(hart, longint'(bench.dut.core.pc));
      return;
    end
    model_trap = ztl_dpi_step(hart);
    if (done_trap != (model_trap != 0))
      report($sformatf("unit: %s, model: %s", done_trap ? $sformatf("cause %0d", csr_of('h342)) : "no trap",
                       model_trap != 0 ? $sformatf("cause %0d, reason %0d", model_trap - 1, ztl_dpi_reason(hart))
                                       : "no trap"));
    if (done_word[6:0] == System && done_word[13:12] != 0 && is_own(done_word[31:20]) && !done_trap)
      ztl_dpi_set_x(hart, rd, longint'(bench.dut.core.x[rd]));
    expect_equal("pc", 0, bench.dut.core.pc, 32'(ztl_dpi_pc(hart)));
    for (int i = 0; i < 32; i++) expect_equal("x", i, bench.dut.core.x[i], 32'(ztl_dpi_x(hart, i)));
    compare_csrs('h305, 'h305);
    compare_csrs('h340, 'h343);
    if (done_word[6:0] == Custom2 || done_word[6:0] == System) compare_ztl();
    if (done_word[6:0] == StoreWord || (done_word[6:0] == Custom2 && done_word[29])) compare_memory();
  endtask

  // One instruction has been done by the machine.
  task automatic compare;
    if (hart == null) return;
    for (int i = 3; i > 0; i--) begin
      last_pc[i] = last_pc[i-1];
      last_word[i] = last_word[i-1];
    end
    last_pc[0] = done_pc;
    last_word[0] = done_word;
    count++;
    traps += int'(done_trap);
    ztl += int'(done_word[6:0] == Custom2);
    compare_step();
    if (ends && !differs)
      $display("the unit agrees with the model on %0d instructions, %0d of Ztl, %0d traps", count, ztl, traps);
  endtask
endmodule
