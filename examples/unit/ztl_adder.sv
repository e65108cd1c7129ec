// SPDX-License-Identifier: Apache-2.0
// One element of ADDI: element + imm, saturated.
//
// A float is taken as an integer in units of its smallest subnormal. The sum of two such integers
// is exact, so that it is rounded once and no case needs thought; 288 bits hold that of binary32.
module ztl_adder
  import ztl_unit_pkg::*;
(
    input element_type element,
    input logic [31:0] value,
    input logic [7:0] imm,
    output logic [31:0] sum
);
  localparam int Wide = 288;
  typedef logic signed [Wide-1:0] fixed;

  wire [5:0] size = element.bits;
  wire [31:0] all_ones = 32'hffffffff >> (6'd32 - size);
  wire [31:0] sign_bit = 32'd1 << (size - 1);
  wire signed [33:0] addend = 34'(signed'(imm));

  // Integers.
  wire signed [33:0] as_signed = 34'(signed'(value << (6'd32 - size))) >>> (6'd32 - size);
  wire signed [33:0] as_integer = element.is_signed ? as_signed : 34'(value);
  wire signed [33:0] least = element.is_signed ? -34'(sign_bit) : 34'd0;
  wire signed [33:0] most = element.is_signed ? 34'(sign_bit) - 34'd1 : 34'(all_ones);
  wire signed [33:0] exact = as_integer + addend;
  wire signed [33:0] limited = exact < least ? least : exact > most ? most : exact;

  // Floats.
  wire [31:0] magnitude = value & ~sign_bit & all_ones;
  wire [31:0] infinity = ((32'd1 << element.exponent) - 1) << element.fraction;
  wire [31:0] one_nan = sign_bit - 1;
  wire [31:0] largest = element.has_infinity ? infinity - 1 : element.has_one_nan ? one_nan - 1 : one_nan;
  wire is_infinite = element.has_infinity && magnitude == infinity;
  wire is_nan = element.has_infinity ? magnitude > infinity : element.has_one_nan && magnitude == one_nan;
  wire [31:0] canonical = element.has_infinity ? infinity | 32'd1 << (element.fraction - 1) : one_nan;

  wire [7:0] exponent = 8'(magnitude >> element.fraction);
  wire [31:0] fraction = magnitude & ((32'd1 << element.fraction) - 1);
  wire [31:0] significand = exponent == 0 ? fraction : fraction | 32'd1 << element.fraction;
  wire fixed float_size = fixed'({1'b0, significand}) << (exponent == 0 ? 8'd0 : exponent - 8'd1);
  wire is_negative = (value & sign_bit) != 0;

  // One is 2^(bias - 1 + bits of the fraction) units.
  wire [7:0] one = 8'((9'd1 << (element.exponent - 1)) - 9'd2) + 8'(element.fraction);
  wire fixed float_sum = (is_negative ? -float_size : float_size) + (fixed'(signed'(imm)) <<< one);
  wire sum_negative = float_sum < 0;
  wire [Wide-1:0] sum_size = sum_negative ? -float_sum : float_sum;

  // How far the sum is shifted down to leave a bit before the fraction, and what is left of it.
  function automatic logic [8:0] shift_of(logic [Wide-1:0] number, logic [4:0] fraction_bits);
    logic [8:0] top = 0;
    for (int i = 0; i < Wide; i++) if (number[i]) top = 9'(i);
    return top > 9'(fraction_bits) ? top - 9'(fraction_bits) : 9'd0;
  endfunction
  wire [8:0] shift = shift_of(sum_size, element.fraction);
  wire [31:0] kept = 32'(sum_size >> shift);
  wire [Wide-1:0] rest = sum_size & ((Wide'(1) << shift) - 1);
  wire [Wide-1:0] half = shift == 0 ? '0 : Wide'(1) << (shift - 1);
  wire up = shift != 0 && (rest > half || (rest == half && kept[0]));

  // The bit before the fraction adds one to the exponent, and so does a carry out of it.
  wire [39:0] rounded = (40'(shift) << element.fraction) + 40'(kept) + 40'(up);
  wire [31:0] finite = rounded > 40'(largest) ? largest : rounded[31:0];
  wire [31:0] float_result = is_nan ? canonical : is_infinite ? value :
                             finite | (sum_negative ? sign_bit : 32'd0);

  assign sum = element.exponent == 0 ? limited[31:0] : float_result;
endmodule
