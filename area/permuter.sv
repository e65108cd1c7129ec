// SPDX-License-Identifier: Apache-2.0
// Any permutation of the 11 bits of a pair's byte index, so every XPOSE and PERMUTE of elements of 8 bits
// or more, at 64 bytes a cycle: 32 cycles write the pair, 32 read its permutation.
//
// 64 banks of 32 bytes. What is written goes through six levels that exchange lanes whose numbers differ
// in a bit; what is read through six of these, and then through 15 switches that exchange two bits of the
// lane's number.
module permuter (
    input logic clk,
    input logic [43:0] order,
    input logic write,
    input logic [4:0] row,
    input logic [511:0] in,     // byte n of the row is in[8n+7:8n]
    output logic [511:0] out
);
  logic [5:0] skew, flip;
  logic [4:0] fixed_row;
  logic [29:0] vary;
  logic [14:0] exchange;
  control control (.*);

  logic [511:0] to_banks, from_banks, straight;
  lanes_xor skewing (.in(in), .by(skew), .out(to_banks));
  logic [5:0] flip_read;  // of the row that is at the banks' outputs
  always_ff @(posedge clk) flip_read <= flip;
  lanes_xor flipping (.in(from_banks), .by(flip_read), .out(straight));

  // A bank's row: that which is written; or the fixed bits, some of them changed by the bank's number.
  genvar b, i, n;
  generate
    for (b = 0; b < 64; b = b + 1) begin : banks
      logic [4:0] read_row;
      for (i = 0; i < 5; i = i + 1) begin : bits
        assign read_row[i] = fixed_row[i] ^ (|(vary[6*i+:6] & b[5:0]));
      end
      bank bank (
          .clk(clk),
          .write(write),
          .row(write ? row : read_row),
          .in(to_banks[8*b+:8]),
          .out(from_banks[8*b+:8])
      );
    end
  endgenerate

  // Switch n exchanges the lane bits LOW and LOW + 1: 0 2 4, 1 3, 0 2 4, …
  logic [511:0] stage[16];
  assign stage[0] = straight;
  generate
    for (n = 0; n < 15; n = n + 1) begin : switches
      lanes_exchange #(.LOW(n % 5 < 3 ? n % 5 * 2 : n % 5 * 2 - 5)) lanes (
          .in(stage[n]),
          .on(exchange[n]),
          .out(stage[n+1])
      );
    end
  endgenerate
  assign out = stage[15];
endmodule

// With `on`, the lanes whose numbers differ in the bits LOW and LOW + 1 change places.
module lanes_exchange #(
    parameter int LOW = 0
) (
    input logic [511:0] in,
    input logic on,
    output logic [511:0] out
);
  always @* begin
    out = in;
    for (int lane = 0; lane < 64; lane++)
      if ((lane >> LOW & 1) != (lane >> LOW + 1 & 1))
        out[8*lane+:8] = on ? in[8*(lane^3<<LOW)+:8] : in[8*lane+:8];
  end
endmodule

// Lane n of the output is lane n ^ by of the input.
module lanes_xor (
    input logic [511:0] in,
    input logic [5:0] by,
    output logic [511:0] out
);
  logic [511:0] input_of;
  always @* begin
    out = in;
    input_of = in;
    for (int k = 0; k < 6; k++) begin
      input_of = out;
      for (int lane = 0; lane < 64; lane++)
        out[8*lane+:8] = by[k] ? input_of[8*(lane^1<<k)+:8] : input_of[8*lane+:8];
    end
  end
endmodule
