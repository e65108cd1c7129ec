// SPDX-License-Identifier: Apache-2.0
// A memory of 512 bytes with one port: what a generator of macros would be asked for.
module macro (
    input logic clk,
    input logic write,
    input logic [8:0] row,
    input logic [7:0] in,
    output logic [7:0] out
);
  logic [7:0] rows[512];
  always_ff @(posedge clk)
    if (write) rows[row] <= in;
    else out <= rows[row];
endmodule
