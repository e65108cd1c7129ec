// SPDX-License-Identifier: Apache-2.0
// From a word of custom-2 to the parts of its instruction. What a word has no use for is 0.
module ztl_decode
  import ztl_unit_pkg::*;
#(
    parameter logic [4:0] Subsets = '1  // Ztlp, Ztlm, Ztla, Ztlc, Ztlx
) (
    input logic [31:0] word,
    output instruction insn
);
  localparam int X = 0, C = 1, A = 2, M = 3, P = 4;
  localparam logic [7:0] Identity = 8'he4;

  wire [1:0] dd = word[26:25];

  // The permutation that swaps dimensions a and b.
  function automatic logic [7:0] swap_of(logic [1:0] a, logic [1:0] b);
    logic [1:0] k0, k1, k2, k3;
    k0 = a == 0 ? b : b == 0 ? a : 2'd0;
    k1 = a == 1 ? b : b == 1 ? a : 2'd1;
    k2 = a == 2 ? b : b == 2 ? a : 2'd2;
    k3 = a == 3 ? b : b == 3 ? a : 2'd3;
    return {k3, k2, k1, k0};
  endfunction

  // The pair of XPOSE stands for itself, but for 1010, which is (1,3).
  wire [7:0] swap = word[28:25] == 4'b1010 ? swap_of(2'd1, 2'd3) : swap_of(word[28:27], dd);

  operation op;
  logic legal, is_xpose;
  logic [6:0] bits;

  always_comb begin
    op = Load;
    legal = 0;
    is_xpose = 0;
    bits = 0;
    case (word[14:12])
      3'b000: begin
        op = word[29] ? Store : Load;
        legal = Subsets[M];
      end
      3'b001: begin
        op = word[29:27] == 3'b000 ? Concat : Merge;
        legal = Subsets[C] && word[29:27] <= 3'b010 && dd != 3;
      end
      3'b010: begin
        op = word[29] ? Store : Addi;
        legal = word[29] ? Subsets[M] : Subsets[A] && !word[28];
      end
      3'b011: begin
        op = Permute;
        is_xpose = !word[29];
        case (word[29:25])
          5'b10001: bits = 8;
          5'b10010: bits = 32;
          5'b10011: bits = 16;
          5'b10100: bits = 64;
          default: bits = 0;
        endcase
        legal = is_xpose ? Subsets[X] : Subsets[P] && bits != 0;
      end
      default: legal = 0;
    endcase
  end

  wire three = op == Concat || op == Merge || op == Addi;
  assign insn = '{
          op: op,
          status: legal ? None : Encoding,
          masked: word[28],
          target: three ? word[11:7] : word[19:15],
          first: word[19:15],
          second: word[24:20],
          d: dd,
          is_xpose: is_xpose,
          swap: is_xpose ? swap : Identity,
          bits: bits,
          imm: word[27:20]
      };
endmodule
