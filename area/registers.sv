// SPDX-License-Identifier: Apache-2.0
// The 32 registers in 64 byte-wide memories, of which each takes the row or the next one: so 64 bytes are
// read or written wherever they begin.
module registers (
    input logic clk,
    input logic write,
    input logic [8:0] row,           // register and row of 64 bytes
    input logic [63:0] next_row,     // lanes that take the row behind it
    input logic [63:0] enable,       // lanes that are written
    input logic [511:0] in,
    output logic [511:0] out
);
  wire [8:0] next = row + 9'd1;
  genvar b;
  generate
    for (b = 0; b < 64; b = b + 1) begin : lanes
      macro macro (
          .clk(clk),
          .write(write & enable[b]),
          .row(next_row[b] ? next : row),
          .in(in[8*b+:8]),
          .out(out[8*b+:8])
      );
    end
  endgenerate
endmodule
