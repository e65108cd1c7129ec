// SPDX-License-Identifier: Apache-2.0
// A minimal core that drives the unit: RV32I with Zicsr, machine mode only, an instruction a cycle.
// custom-2 goes to the unit, and the core waits for it; so do the CSRs from 0x800 to 0x8ff.
module rv32 #(
    parameter logic [31:0] Start = 32'h80000000
) (
    input logic clk,
    input logic reset,

    // Memory: an instruction, and the data of a load or store of 1, 2 or 4 bytes at any address.
    output logic [31:0] pc,
    input logic [31:0] fetched,
    input logic fetch_fault,
    output logic [31:0] address,
    output logic store,
    output logic [2:0] size,
    output logic [31:0] wdata,
    input logic [31:0] rdata,
    input logic fault,
    input logic [31:0] fault_address,

    output logic unit_start,
    output logic [31:0] unit_rs,
    input logic unit_busy,
    input logic unit_trap,
    input logic [3:0] unit_cause,
    input logic [31:0] unit_tval,
    output logic [11:0] csr_address,
    output logic csr_write,
    output logic [31:0] csr_wdata,
    input logic csr_exists,
    input logic [31:0] csr_rdata,

    // What has just been done, for a bench.
    output logic done,
    output logic done_trap,
    output logic [31:0] done_pc,
    output logic [31:0] done_word
);
  localparam logic [6:0] Lui = 7'h37, Auipc = 7'h17, Jal = 7'h6f, Jalr = 7'h67, Branch = 7'h63,
      LoadWord = 7'h03, StoreWord = 7'h23, OpImm = 7'h13, Op = 7'h33, Fence = 7'h0f, System = 7'h73,
      Custom2 = 7'h5b;

  logic [31:0] x[32];
  logic [31:0] mtvec, mscratch, mepc, mcause, mtval, mie;
  logic enabled, was_enabled;  // mstatus.MIE, mstatus.MPIE
  logic [63:0] cycles, retired;
  logic waiting;               // for the unit

  wire [31:0] w = fetched;
  wire [6:0] opcode = w[6:0];
  wire [2:0] f3 = w[14:12];
  wire [4:0] rd = w[11:7];
  wire [31:0] a = x[w[19:15]], b = x[w[24:20]];
  wire [31:0] imm_i = {{20{w[31]}}, w[31:20]};
  wire [31:0] imm_s = {{20{w[31]}}, w[31:25], w[11:7]};
  wire [31:0] imm_b = {{20{w[31]}}, w[7], w[30:25], w[11:8], 1'b0};
  wire [31:0] imm_j = {{12{w[31]}}, w[19:12], w[20], w[30:21], 1'b0};

  // ---- Arithmetic and branches ----
  wire [31:0] second = opcode == Op ? b : imm_i;
  wire [31:0] arithmetic_right = $signed(a) >>> second[4:0];
  logic [31:0] sum;
  always_comb
    case (f3)
      3'd0: sum = opcode == Op && w[30] ? a - b : a + second;
      3'd1: sum = a << second[4:0];
      3'd2: sum = 32'($signed(a) < $signed(second));
      3'd3: sum = 32'(a < second);
      3'd4: sum = a ^ second;
      3'd5: sum = w[30] ? arithmetic_right : a >> second[4:0];
      3'd6: sum = a | second;
      default: sum = a & second;
    endcase
  logic taken;
  always_comb
    case (f3[2:1])
      2'd0: taken = a == b;
      2'd2: taken = $signed(a) < $signed(b);
      default: taken = a < b;
    endcase

  // ---- Loads and stores ----
  assign address = a + (opcode == StoreWord ? imm_s : imm_i);
  assign size = 3'd1 << f3[1:0];
  assign wdata = b;
  logic [31:0] loaded;
  always_comb
    case (f3)
      3'd0: loaded = {{24{rdata[7]}}, rdata[7:0]};
      3'd1: loaded = {{16{rdata[15]}}, rdata[15:0]};
      3'd4: loaded = {24'd0, rdata[7:0]};
      3'd5: loaded = {16'd0, rdata[15:0]};
      default: loaded = rdata;
    endcase

  // ---- CSRs ----
  assign csr_address = w[31:20];
  wire ours = csr_address[11:8] != 4'h8;
  logic known;
  logic [31:0] csr_old;
  always_comb begin
    known = 1;
    case (csr_address)
      12'h300: csr_old = {19'd0, 2'd3, 3'd0, was_enabled, 3'd0, enabled, 3'd0};
      12'h301: csr_old = 32'h40800100;  // RV32IX
      12'h304: csr_old = mie;
      12'h305: csr_old = mtvec;
      12'h340: csr_old = mscratch;
      12'h341: csr_old = mepc;
      12'h342: csr_old = mcause;
      12'h343: csr_old = mtval;
      12'hb00: csr_old = cycles[31:0];
      12'hb80: csr_old = cycles[63:32];
      12'hb02: csr_old = retired[31:0];
      12'hb82: csr_old = retired[63:32];
      12'h310, 12'h344, 12'hf11, 12'hf12, 12'hf13, 12'hf14, 12'hf15: csr_old = 0;
      default: begin
        csr_old = csr_rdata;
        known = !ours && csr_exists;
      end
    endcase
  end
  wire is_csr = opcode == System && f3[1:0] != 0;
  wire [31:0] csr_operand = f3[2] ? 32'(w[19:15]) : a;
  wire csr_writes = f3[1:0] == 1 || w[19:15] != 0;
  assign csr_wdata = f3[1:0] == 1 ? csr_operand : f3[1:0] == 2 ? csr_old | csr_operand : csr_old & ~csr_operand;

  // ---- What the instruction does ----
  wire is_return = w == 32'h30200073;
  logic legal;
  always_comb
    case (opcode)
      Lui, Auipc, Jal, Custom2: legal = 1;
      Jalr: legal = f3 == 0;
      Branch: legal = f3[2:1] != 1;
      LoadWord: legal = f3 != 3 && f3 < 6;
      StoreWord: legal = f3 < 3;
      OpImm: legal = f3 == 1 ? w[31:25] == 0 : f3 == 5 ? {w[31], w[29:25]} == 0 : 1;
      Op: legal = w[31:25] == 0 || (w[31:25] == 7'h20 && (f3 == 0 || f3 == 5));
      Fence: legal = f3 < 2;
      System:
      if (is_csr) legal = known && !(csr_writes && csr_address[11:10] == 3);
      else legal = is_return || w == 32'h73 || w == 32'h00100073 || w == 32'h10500073;
      default: legal = 0;
    endcase

  logic [31:0] target, result;
  logic writes;
  always_comb begin
    target = pc + 4;
    result = sum;
    writes = 0;
    case (opcode)
      Lui: {writes, result} = {1'b1, w[31:12], 12'd0};
      Auipc: {writes, result} = {1'b1, pc + {w[31:12], 12'd0}};
      Jal: begin
        {writes, result} = {1'b1, pc + 32'd4};
        target = pc + imm_j;
      end
      Jalr: begin
        {writes, result} = {1'b1, pc + 32'd4};
        target = (a + imm_i) & ~32'd1;
      end
      Branch: if (taken ^ f3[0]) target = pc + imm_b;
      LoadWord: {writes, result} = {1'b1, loaded};
      OpImm, Op: writes = 1;
      System:
      if (is_csr) {writes, result} = {1'b1, csr_old};
      else if (is_return) target = mepc;
      default: ;
    endcase
  end

  // ---- Exceptions ----
  logic trap;
  logic [3:0] cause;
  logic [31:0] tval;
  always_comb begin
    {trap, cause, tval} = {1'b1, 4'd0, 32'd0};
    if (waiting) {trap, cause, tval} = {unit_trap, unit_cause, unit_tval};
    else if (fetch_fault) {cause, tval} = {4'd1, pc};
    else if (!legal) {cause, tval} = {4'd2, w[1:0] == 3 ? w : {16'd0, w[15:0]}};
    else if (target[1]) {cause, tval} = {4'd0, target};
    else if (opcode == LoadWord && fault) {cause, tval} = {4'd5, fault_address};
    else if (opcode == StoreWord && fault) {cause, tval} = {4'd7, fault_address};
    else if (w == 32'h73) cause = 11;
    else if (w == 32'h00100073) {cause, tval} = {4'd3, pc};
    else trap = 0;
  end

  wire is_unit = !waiting && opcode == Custom2 && !fetch_fault;
  wire finishes = !unit_busy && !is_unit;
  assign unit_start = is_unit && !unit_busy && !reset;
  assign unit_rs = x[rd];
  assign store = opcode == StoreWord && finishes && !trap && !reset;
  assign csr_write = is_csr && !ours && csr_writes && finishes && !trap && !reset;

  always_ff @(posedge clk) begin
    done <= 0;
    cycles <= cycles + 1;
    if (reset) begin
      pc <= Start;
      waiting <= 0;
      {mtvec, mscratch, mepc, mcause, mtval, mie, enabled, was_enabled} <= 0;
      {cycles, retired} <= 0;
      for (int i = 0; i < 32; i++) x[i] <= 0;
    end else if (unit_start) begin
      waiting <= 1;
    end else if (finishes) begin
      waiting <= 0;
      done <= 1;
      done_trap <= trap;
      done_pc <= pc;
      done_word <= w;
      if (trap) begin
        pc <= {mtvec[31:2], 2'd0};
        mepc <= pc;
        mcause <= 32'(cause);
        mtval <= tval;
        {was_enabled, enabled} <= {enabled, 1'b0};
      end else begin
        pc <= target;
        retired <= retired + 1;
        if (writes && rd != 0) x[rd] <= result;
        if (opcode == System && is_return) {was_enabled, enabled} <= {1'b1, was_enabled};
        if (is_csr && csr_writes)
          case (csr_address)
            12'h300: {was_enabled, enabled} <= {csr_wdata[7], csr_wdata[3]};
            12'h304: mie <= csr_wdata & 32'h888;
            12'h305: mtvec <= csr_wdata & ~32'd2;
            12'h340: mscratch <= csr_wdata;
            12'h341: mepc <= csr_wdata & ~32'd3;
            12'h342: mcause <= csr_wdata;
            12'h343: mtval <= csr_wdata;
            12'hb00: cycles[31:0] <= csr_wdata;
            12'hb80: cycles[63:32] <= csr_wdata;
            12'hb02: retired[31:0] <= csr_wdata;
            12'hb82: retired[63:32] <= csr_wdata;
            default: ;
          endcase
      end
    end
  end
endmodule
