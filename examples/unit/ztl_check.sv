// SPDX-License-Identifier: Apache-2.0
// Why an instruction is illegal, in the order of the manual; and the numbers that the checks need
// and the execution as well.
module ztl_check
  import ztl_unit_pkg::*;
(
    input instruction insn,
    input logic [31:0] dims,          // X[rs]: the four dimensions of XPOSE and PERMUTE
    input logic [23:0] shape,
    input logic [7:0] permutation,
    input element_type element,
    input logic [31:0] width,         // the width register of the load or store
    input logic [31:0] mask_1,
    input logic [31:0] mask_2,
    input logic [3:0] initialised,
    output logic [7:0] status,        // a reason, or None
    output logic [6:0] bits,          // of an element
    output logic [7:0] order,         // the permutation that is to be done
    output logic [10:0] slice_bytes,
    output logic [5:0] count_1,       // positions that the masks keep
    output logic [5:0] count_2
);
  wire [7:0] d0 = shape[23:16], d1 = shape[15:8], d2 = shape[7:0];
  wire [7:0] along = insn.d == 0 ? d0 : insn.d == 1 ? d1 : d2;
  wire is_slices = insn.op == Load || insn.op == Store;
  wire is_block = insn.op == Concat || insn.op == Merge;
  wire has_type = insn.op != Permute || insn.is_xpose;
  assign bits = has_type ? 7'(element.bits) : insn.bits;
  assign order = insn.is_xpose ? insn.swap : permutation;

  // Products are as wide as their factors together, so that none overflows.
  wire [21:0] row_bits = 22'(d1) * 22'(d2) * 22'(bits);
  wire [31:0] slice = width != 0 ? width : 32'(row_bits[21:3]);
  wire [39:0] block_bytes = 40'(d0) * 40'(slice);
  wire [30:0] block_bits = 31'(d0) * 31'(d1) * 31'(d2) * 31'(bits);
  wire [38:0] pair_bits = 39'(dims[7:0]) * 39'(dims[15:8]) * 39'(dims[23:16]) *
                          39'(dims[31:24]) * 39'(bits);
  assign slice_bytes = slice[10:0];

  function automatic logic [5:0] ones_below(logic [31:0] mask, logic [7:0] limit);
    logic [5:0] count = 0;
    for (int i = 0; i < 32; i++) if (i < int'(limit)) count = count + 6'(mask[i]);
    return count;
  endfunction
  assign count_1 = ones_below(mask_1, along);
  assign count_2 = ones_below(mask_2, along);

  function automatic logic names_each(logic [7:0] p);
    logic [3:0] seen = 4'd1 << p[1:0] | 4'd1 << p[3:2] | 4'd1 << p[5:4] | 4'd1 << p[7:6];
    return &seen;
  endfunction

  logic bad_shape, bad_width, unset, too_many;
  always_comb begin
    bad_shape = 0;
    bad_width = 0;
    unset = 0;
    too_many = 0;
    if (is_slices) begin
      bad_shape = d0 < 1 || d0 > 32 || (width == 0 && (d1 == 0 || d2 == 0));
      bad_width = (width == 0 && row_bits[2:0] != 0) || block_bytes > 1024;
      unset = insn.masked && !initialised[insn.op == Store ? 3 : 2];
    end else if (is_block) begin
      bad_shape = block_bits == 0 || block_bits > 8192 || along > 32;
      unset = !initialised[0] || (insn.op == Concat && !initialised[1]);
      too_many = insn.op == Concat && 7'(count_1) + 7'(count_2) > 7'(along);
    end else if (insn.op == Permute) begin
      bad_shape = dims[0] || pair_bits != 16384 || !names_each(order);
    end
  end

  always_comb begin
    if (insn.status != None) status = insn.status;
    else if (has_type && !element.exists) status = Type;
    else if (bad_shape) status = Shape;
    else if (bad_width) status = Width;
    else if (unset) status = MaskUninitialised;
    else if (too_many) status = MaskCount;
    else status = None;
  end
endmodule
