// SPDX-License-Identifier: Apache-2.0
// 32 bytes with one port. A row that is read is at the output after the clock.
module bank (
    input logic clk,
    input logic write,
    input logic [4:0] row,
    input logic [7:0] in,
    output logic [7:0] out
);
  logic [7:0] rows[32];
  always_ff @(posedge clk)
    if (write) rows[row] <= in;
    else out <= rows[row];
endmodule
