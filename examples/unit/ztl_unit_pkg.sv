// SPDX-License-Identifier: Apache-2.0
// What the modules of the unit share: operations, reasons, types of elements.
package ztl_unit_pkg;
  typedef enum logic [2:0] {
    Load,
    Store,
    Addi,
    Concat,
    Merge,
    Permute  // XPOSE too: it is a permutation that swaps two dimensions
  } operation;

  typedef enum logic [7:0] {
    None,
    Encoding,
    Type,
    Shape,
    Width,
    MaskUninitialised,
    MaskCount
  } reason;

  // An instruction taken apart.
  typedef struct packed {
    operation op;
    logic [7:0] status;       // why there is no such instruction: Encoding, or None
    logic masked;             // MLOAD, MSTORE
    logic [4:0] target;       // the register that is written, or the first of a pair
    logic [4:0] first;        // tlrs1, or what ADDI and stores read
    logic [4:0] second;       // tlrs2
    logic [1:0] d;            // the dimension of CONCAT and MERGE
    logic is_xpose;           // its permutation is `swap`, its elements have the bits of ttype
    logic [7:0] swap;
    logic [6:0] bits;         // of PERMUTE's elements
    logic [7:0] imm;
  } instruction;

  // How a float is made. Integers have no exponent.
  typedef struct packed {
    logic exists;
    logic [5:0] bits;
    logic is_signed;
    logic [3:0] exponent;     // bits of the exponent and of the fraction
    logic [4:0] fraction;
    logic has_infinity;       // and NaNs above it
    logic has_one_nan;        // all ones, and no infinity
  } element_type;

  function automatic element_type type_of(logic [11:0] ttype);
    case (ttype)
      //                            bits  sign exp frac  inf nan
      12'h000: type_of = {1'b1, 6'd8,  1'b0, 4'd0, 5'd0,  1'b0, 1'b0};
      12'h001: type_of = {1'b1, 6'd4,  1'b1, 4'd0, 5'd0,  1'b0, 1'b0};
      12'h002: type_of = {1'b1, 6'd8,  1'b1, 4'd0, 5'd0,  1'b0, 1'b0};
      12'h004: type_of = {1'b1, 6'd16, 1'b1, 4'd0, 5'd0,  1'b0, 1'b0};
      12'h008: type_of = {1'b1, 6'd32, 1'b1, 4'd0, 5'd0,  1'b0, 1'b0};
      12'h010: type_of = {1'b1, 6'd4,  1'b1, 4'd2, 5'd1,  1'b0, 1'b0};
      12'h040: type_of = {1'b1, 6'd8,  1'b1, 4'd4, 5'd3,  1'b0, 1'b1};
      12'h080: type_of = {1'b1, 6'd8,  1'b1, 4'd5, 5'd2,  1'b1, 1'b0};
      12'h0c0: type_of = {1'b1, 6'd8,  1'b1, 4'd3, 5'd4,  1'b1, 1'b0};
      12'h100: type_of = {1'b1, 6'd16, 1'b1, 4'd5, 5'd10, 1'b1, 1'b0};
      12'h200: type_of = {1'b1, 6'd16, 1'b1, 4'd8, 5'd7,  1'b1, 1'b0};
      12'h400: type_of = {1'b1, 6'd32, 1'b1, 4'd8, 5'd23, 1'b1, 1'b0};
      default: type_of = '0;
    endcase
  endfunction
endpackage
