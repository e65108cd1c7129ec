// SPDX-License-Identifier: Apache-2.0
// A Ztl unit of RV32 that executes every instruction of Ztl 2, one at a time and an element or a byte
// of memory a cycle. It is written to be read, next to the manual, and not to be fast or small.
//
// With start, word and rs (X[word[11:7]]) are taken; then busy is 1 until everything is done. After
// that trap says whether the instruction has raised an exception; if so, nothing else has changed but
// tl_xpose_status. CSRs are read and written while the unit is not busy.
module ztl_unit
  import ztl_unit_pkg::*;
#(
    parameter logic [4:0] Subsets = '1,       // Ztlp, Ztlm, Ztla, Ztlc, Ztlx
    parameter logic [31:0] L1mBase = 0,       // loads come from here; size 0 is everywhere
    parameter logic [31:0] L1mSize = 0,
    parameter logic [31:0] L0mBase = 0,       // stores go here
    parameter logic [31:0] L0mSize = 0
) (
    input logic clk,
    input logic reset,
    input logic [1:0] bug,                    // 0, or one of three faults that can be switched on

    input logic start,
    input logic [31:0] word,
    input logic [31:0] rs,
    output logic busy,
    output logic trap,
    output logic [3:0] cause,
    output logic [31:0] tval,

    input logic [11:0] csr_address,
    input logic csr_write,
    input logic [31:0] csr_wdata,
    output logic csr_exists,
    output logic [31:0] csr_rdata,

    // Memory, a byte at a time. What is at the address is there in the same cycle.
    output logic [31:0] mem_address,
    output logic mem_store,
    output logic [7:0] mem_wdata,
    input logic [7:0] mem_rdata,
    input logic mem_fault                     // there is no memory at the address
);
  typedef enum logic [3:0] {
    Clear,      // after reset, the registers
    Idle,
    Check,
    Align,      // the address of each slice
    Probe,      // every byte that will be accessed
    Copy,       // the registers that are written, to `result`
    Slices,     // memory to `result`, or a register to memory
    Elements,   // registers to `result`
    Write       // `result` to the registers
  } phase;
  phase now;

  // Nibble n of register r is tl[{r, n}]: the smallest element is a nibble. So is result[n], the pair
  // of registers that is being made.
  logic [3:0] tl[32*2048];
  logic [3:0] result[2*2048];

  logic [31:0] insn_word, rs_value;
  instruction insn;
  ztl_decode #(.Subsets(Subsets)) decode (.word(insn_word), .insn);

  // ---- CSRs and checks ----
  logic [23:0] shape;
  logic [7:0] permutation;
  logic [11:0] ttype;
  logic [31:0] mask_1, mask_2, load_mask, store_mask, load_width, store_width;
  logic [31:0] load_stride, store_stride;
  logic [3:0] initialised;
  logic [4:0] slice;
  wire set_status = now == Check && status != None;
  ztl_csrs csrs (
      .clk,
      .reset,
      .address(csr_address),
      .write(csr_write && csr_exists),
      .wdata(csr_wdata),
      .exists(csr_exists),
      .rdata(csr_rdata),
      .set_status,
      .new_status({insn_word[14:12], status}),
      .*
  );

  wire element_type element = type_of(ttype);
  wire is_store = insn.op == Store;
  wire is_slices = insn.op == Load || is_store;
  logic [7:0] status, order;
  logic [6:0] bits;
  logic [10:0] slice_bytes;
  logic [5:0] count_1, count_2;
  ztl_check check (.dims(rs_value), .width(is_store ? store_width : load_width), .*);

  // ---- Slices ----
  wire [5:0] slices = shape[21:16];
  wire [31:0] mask = is_store ? store_mask : load_mask;
  wire accessed = !insn.masked || mask[slice];
  wire [31:0] stride = is_store ? store_stride : load_stride;
  wire [31:0] offset = {{24{insn.imm[7]}}, insn.imm};
  wire [31:0] slice_address = rs_value + (stride + offset) * 32'(slice_bytes);
  wire misaligned = (slice_address & (32'(bits) / 8 - 1)) != 0 && bits > 8;

  logic [10:0] in_slice;  // a byte of the slice
  logic [10:0] at;        // a byte of the register, or a step of eight of the result
  assign mem_address = slice_address + 32'(in_slice);
  assign mem_store = now == Slices && is_store && accessed;
  assign mem_wdata = {tl[{insn.first, at[9:0], 1'b1}], tl[{insn.first, at[9:0], 1'b0}]};

  function automatic logic outside(logic [31:0] address, logic [31:0] base, logic [31:0] size);
    return size != 0 && (address < base || address - base >= size);
  endfunction
  wire fault = mem_fault || (is_store ? outside(mem_address, L0mBase, L0mSize)
                                      : outside(mem_address, L1mBase, L1mSize));
  wire last_slice = 6'(slice) + 1 == slices;
  wire slice_ends = in_slice + 1 == slice_bytes;

  // ---- Elements: where each comes from ----
  // The result is walked in order; i[0] is the outermost of four positions.
  wire is_pair = insn.op == Permute;
  wire [11:0] half = 12'(14'd8192 / 14'(bits));  // elements of a register
  logic [11:0] d[4];     // the dimensions of a pair, and how far apart their positions are
  logic [11:0] step[4];
  logic [11:0] size[4];  // the dimensions of the result
  logic [11:0] i[4];
  logic [11:0] index;  // of the element in the result
  always_comb begin
    d = '{12'(rs_value[7:0]), 12'(rs_value[15:8]), 12'(rs_value[23:16]), 12'(rs_value[31:24])};
    step = '{d[1] * d[2] * d[3], d[2] * d[3], d[3], 12'd1};
    if (is_pair) size = '{d[order[1:0]], d[order[3:2]], d[order[5:4]], d[order[7:6]]};
    else if (insn.op == Addi) size = '{12'd1, 12'd1, 12'd1, half};
    else size = '{12'd1, 12'(shape[23:16]), 12'(shape[15:8]), 12'(shape[7:0])};
  end
  wire last_3 = i[3] + 1 == size[3];
  wire last_2 = last_3 && i[2] + 1 == size[2];
  wire last_1 = last_2 && i[1] + 1 == size[1];
  wire last_element = last_1 && i[0] + 1 == size[0];

  // The position along dimension d, and the one of a source that stands there.
  wire [1:0] axis = insn.d + 2'd1;
  wire [5:0] position = i[axis][5:0];
  wire [11:0] axis_step = insn.d == 0 ? size[2] * size[3] : insn.d == 1 ? size[3] : 12'd1;
  function automatic logic [5:0] one_of(logic [31:0] ones, logic [5:0] n);
    logic [5:0] seen = 0, found = 0;
    for (int k = 0; k < 32; k++)
      if (ones[k]) begin
        if (seen == n) found = 6'(k);
        seen = seen + 1;
      end
    return found;
  endfunction
  wire from_1 = insn.op == Merge ? mask_1[position[4:0]] : position < count_1;
  wire filled = insn.op != Concat || 7'(position) < 7'(count_1) + 7'(count_2);
  wire [5:0] source_position = from_1 ? one_of(mask_1, position) : one_of(mask_2, position - count_1);

  logic [4:0] source;
  logic [11:0] from;
  always_comb begin
    source = insn.first;
    from = index;
    case (insn.op)
      Permute: begin
        from = i[0] * step[order[1:0]] + i[1] * step[order[3:2]] +
               i[2] * step[order[5:4]] + i[3] * step[order[7:6]];
        if (from >= half) begin
          source = insn.second;
          from = from - half;
        end
      end
      Merge: source = from_1 ^ (bug == 1) ? insn.first : insn.second;
      Concat: begin
        source = from_1 ? insn.first : insn.second;
        from = index + (12'(source_position) - 12'(position)) * axis_step;
      end
      default: ;
    endcase
  end

  // ---- Registers and the result, up to 16 nibbles at a time ----
  wire [4:0] nibbles = bits[6:2];
  function automatic logic [63:0] read(logic [4:0] register, logic [10:0] nibble);
    logic [63:0] value = 0;
    for (int k = 15; k >= 0; k--) value = value << 4 | 64'(tl[{register, nibble+11'(k)}]);
    return value;
  endfunction
  wire [63:0] moved = read(source, 11'(from) * 11'(nibbles));
  logic [31:0] sum;
  ztl_adder adder (
      .element,
      .value(moved[31:0] & (32'hffffffff >> (6'd32 - element.bits))),
      .imm(insn.imm),
      .sum
  );
  wire [63:0] made = insn.op == Addi ? {32'd0, sum} : moved;
  wire [11:0] made_at = index * 12'(nibbles);

  // In steps of 16 nibbles: first the target's, then, of a pair, the second register's.
  wire [4:0] copied = at[7] ? insn.second : insn.target;
  wire [63:0] old = read(copied, {at[6:0], 4'd0});
  wire last_step = at[7:0] == (is_pair ? 8'd255 : 8'd127);

  // ---- One phase after the other ----
  assign busy = now != Idle;

  task automatic next(phase p);
    now <= p;
    slice <= 0;
    in_slice <= 0;
    at <= 0;
    index <= 0;
    for (int k = 0; k < 4; k++) i[k] <= 0;
  endtask

  task automatic stop(logic [3:0] why, logic [31:0] value);
    next(Idle);
    trap <= 1;
    cause <= why;
    tval <= value;
  endtask

  task automatic next_byte;
    in_slice <= slice_ends ? 0 : in_slice + 1;
    at <= at + 1;
    if (slice_ends) slice <= slice + 1;
  endtask

  task automatic next_element;
    index <= index + 1;
    i[3] <= last_3 ? 0 : i[3] + 1;
    if (last_3) i[2] <= last_2 ? 0 : i[2] + 1;
    if (last_2) i[1] <= last_1 ? 0 : i[1] + 1;
    if (last_1) i[0] <= i[0] + 1;
  endtask

  always_ff @(posedge clk) begin
    if (reset) begin
      next(Clear);
      trap <= 0;
      insn_word <= 0;
    end else
      case (now)
        Clear: begin
          for (int k = 0; k < 16; k++) tl[{insn_word[11:0], 4'(k)}] <= 0;
          insn_word <= insn_word + 1;
          if (insn_word[11:0] == '1) next(Idle);
        end
        Idle:
        if (start) begin
          next(Check);
          trap <= 0;
          insn_word <= word;
          rs_value <= rs;
        end
        Check:
        if (status != None) stop(2, insn_word);
        else next(is_slices ? Align : Copy);
        Align:
        if (accessed && misaligned) stop(is_store ? 6 : 4, slice_address);
        else if (last_slice) next(Probe);
        else slice <= slice + 1;
        Probe:
        if (accessed && fault) stop(is_store ? 7 : 5, mem_address);
        else if (last_slice && slice_ends) next(is_store ? Slices : Copy);
        else next_byte();
        Copy: begin
          for (int k = 0; k < 16; k++) result[{at[7:0], 4'(k)}] <= old[4*k+:4];
          at <= at + 1;
          if (last_step) next(is_slices ? Slices : Elements);
        end
        Slices: begin
          if (!is_store && (accessed || bug != 2)) begin
            result[{1'b0, at[9:0], 1'b0}] <= accessed ? mem_rdata[3:0] : 0;
            result[{1'b0, at[9:0], 1'b1}] <= accessed ? mem_rdata[7:4] : 0;
          end
          if (!last_slice || !slice_ends) next_byte();
          else next(is_store ? Idle : Write);
        end
        Elements: begin
          if (filled)
            for (int k = 0; k < 16; k++)
              if (k < int'(nibbles)) result[made_at+12'(k)] <= made[4*k+:4];
          if (last_element) next(Write);
          else next_element();
        end
        Write: begin
          for (int k = 0; k < 16; k++)
            if (copied != 0 || bug == 3) tl[{copied, at[6:0], 4'(k)}] <= result[{at[7:0], 4'(k)}];
          at <= at + 1;
          if (last_step) next(Idle);
        end
        default: next(Idle);
      endcase
  end
endmodule
