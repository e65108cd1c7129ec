// SPDX-License-Identifier: Apache-2.0
// A toy that does tl.merge.d on untyped bytes, a byte a cycle. Byte n of a register is a[n]. With
// start, what stands at the inputs is taken; then busy is 1 until the result is whole. A shape that
// the instruction refuses raises illegal in the cycle after start, and nothing else happens.
module merge_unit (
    input logic clk,
    input logic reset,
    input logic start,
    input logic [1:0] d,              // the dimension that the mask counts along
    input logic [23:0] shape,         // as in tshape: D0, D1, D2 from the top
    input logic [31:0] mask,          // as in tmask_concat_1
    input logic [1023:0][7:0] a,      // tlrs1: where the mask is 1
    input logic [1023:0][7:0] b,      // tlrs2: where it is 0
    input logic [1023:0][7:0] old,    // tlrd
    output logic busy,
    output logic illegal,
    output logic [1023:0][7:0] result
);
  logic [7:0] i0, i1, i2;  // the position
  logic [10:0] index;
  logic [7:0] d0, d1, d2;
  assign {d0, d1, d2} = shape;

  // The product of three bytes is compared as a whole: nothing overflows.
  wire [23:0] product = 24'(d0) * 24'(d1) * 24'(d2);
  wire [7:0] length = d == 0 ? d0 : d == 1 ? d1 : d2;
  wire is_legal = product != 0 && product <= 1024 && length <= 32;

  wire [4:0] position = d == 0 ? i0[4:0] : d == 1 ? i1[4:0] : i2[4:0];
  wire is_row_end = i2 == d2 - 1;
  wire is_slice_end = is_row_end && i1 == d1 - 1;

  always_ff @(posedge clk) begin
    if (reset) begin
      busy <= 0;
      illegal <= 0;
    end else if (start) begin
      busy <= is_legal;
      illegal <= !is_legal;
      {i0, i1, i2} <= 0;
      index <= 0;
      result <= old;
    end else if (busy) begin
      result[index[9:0]] <= mask[position] ? a[index[9:0]] : b[index[9:0]];
      i2 <= is_row_end ? 0 : i2 + 1;
      if (is_row_end) i1 <= is_slice_end ? 0 : i1 + 1;
      if (is_slice_end) i0 <= i0 + 1;
      index <= index + 1;
      busy <= 24'(index) + 1 != product;
    end
  end
endmodule
