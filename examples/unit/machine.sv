// SPDX-License-Identifier: Apache-2.0
// The core, the unit, RAM at 0x80000000, and two words to write to: a character for the console at
// 0x10000000, and at 0x10000004 the status with which the program ends.
module machine #(
    parameter int RamSize
) (
    input logic clk,
    input logic reset,
    input logic [1:0] bug,
    output logic done,
    output logic done_trap,
    output logic [31:0] done_pc,
    output logic [31:0] done_word,
    output logic console,
    output logic ends,
    output logic [31:0] device_data
);
  localparam logic [31:0] Ram = 32'h80000000, Console = 32'h10000000, End = 32'h10000004;
  localparam int Bits = $clog2(RamSize);

  logic [7:0] ram[RamSize];

  function automatic logic is_ram(logic [31:0] address);
    return address - Ram < RamSize;
  endfunction
  function automatic logic [7:0] byte_at(logic [31:0] address);
    return ram[address[Bits-1:0]];
  endfunction

  logic [31:0] pc, address, wdata, fault_address;
  logic store, fault;
  logic [2:0] size;
  wire is_device = (address == Console || address == End) && store_opcode;
  wire store_opcode = fetched[6:0] == 7'h23;
  wire [31:0] fetched = {byte_at(pc + 3), byte_at(pc + 2), byte_at(pc + 1), byte_at(pc)};
  wire [31:0] rdata = {byte_at(address + 3), byte_at(address + 2), byte_at(address + 1), byte_at(address)};

  // The first byte of a load or store that is not there.
  always_comb begin
    fault = 0;
    fault_address = address;
    for (int k = 3; k >= 0; k--)
      if (k < int'(size) && !is_ram(address + k) && !is_device) begin
        fault = 1;
        fault_address = address + k;
      end
  end

  logic unit_start, unit_busy, unit_trap, csr_write, csr_exists;
  logic [31:0] unit_rs, unit_tval, csr_wdata, csr_rdata;
  logic [3:0] unit_cause;
  logic [11:0] csr_address;
  rv32 core (.fetch_fault(!is_ram(pc)), .*);

  logic [31:0] mem_address;
  logic mem_store;
  logic [7:0] mem_wdata;
  ztl_unit unit (
      .start(unit_start),
      .word(fetched),
      .rs(unit_rs),
      .busy(unit_busy),
      .trap(unit_trap),
      .cause(unit_cause),
      .tval(unit_tval),
      .mem_rdata(byte_at(mem_address)),
      .mem_fault(!is_ram(mem_address)),
      .*
  );

  always_ff @(posedge clk) begin
    console <= store && address == Console;
    ends <= store && address == End;
    device_data <= wdata;
    if (mem_store) ram[mem_address[Bits-1:0]] <= mem_wdata;
    for (int k = 0; k < 4; k++)
      if (store && !is_device && k < int'(size)) ram[Bits'(address+k)] <= wdata[8*k+:8];
  end
endmodule
