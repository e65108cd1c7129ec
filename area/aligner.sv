// SPDX-License-Identifier: Apache-2.0
// Brings 64 bytes of a slice from their lanes to those where they belong: in a load from memory's to the
// register's, in a store the other way. Banks have rows of their own, so that what goes past the last
// lane is written to the next row in the same cycle.
module aligner (
    input logic [511:0] in,
    input logic [5:0] from,        // lane of the first byte in `in`
    input logic [5:0] to,          // lane where it belongs
    input logic [6:0] count,       // bytes, up to 64
    input logic zero,              // a masked-off slice of MLOAD: the bytes are 0
    output logic [511:0] out,
    output logic [63:0] enable,    // lanes that are written
    output logic [63:0] next_row   // of those, the ones whose row is the next
);
  wire [5:0] by = to - from;
  logic [511:0] input_of;
  logic [5:0] distance;  // which byte of the slice a lane gets
  always @* begin
    out = in & {512{!zero}};
    input_of = 0;
    distance = 0;
    for (int k = 0; k < 6; k++) begin
      input_of = out;
      for (int lane = 0; lane < 64; lane++)
        out[8*lane+:8] = by[k] ? input_of[8*((lane+64-(1<<k))%64)+:8] : input_of[8*lane+:8];
    end
    for (int lane = 0; lane < 64; lane++) begin
      distance = lane[5:0] - to;
      enable[lane] = {1'b0, distance} < count;
      next_row[lane] = lane[5:0] < to;
    end
  end
endmodule
