// SPDX-License-Identifier: Apache-2.0
// The parts beside vectors that the model has made, in any simulator. A file of vectors has words of 64
// bytes; +permuter=FILE: the order, 32 rows in, 32 rows out; +aligner=FILE: slices and rows, see
// vectors.py. +count=N: how many of them.
module bench;
  localparam int Words = 1 << 16;
  logic [511:0] vectors[Words];
  string name;
  int count, errors = 0;

  logic clk = 0;
  task automatic tick;
    #1 clk = 1;
    #1 clk = 0;
  endtask

  logic [43:0] order = 0;
  logic write = 0;
  logic [4:0] row = 0;
  logic [511:0] in = 0, out;
  permuter permuter (.*);

  task automatic check_permuter(int at);
    order = vectors[at][43:0];
    write = 1;
    for (int r = 0; r < 32; r++) begin
      row = r[4:0];
      in = vectors[at+1+r];
      tick();
    end
    write = 0;
    for (int r = 0; r < 32; r++) begin
      row = r[4:0];
      tick();
      if (out !== vectors[at+33+r]) begin
        $display("order %h, row %0d: %h, not %h", order, r, out, vectors[at+33+r]);
        errors = errors + 1;
      end
    end
  endtask

  // A slice: {zero, to's row, count, to, from} and 64 bytes by lane; its target is 17 rows.
  logic [511:0] lanes = 0, aligned;
  logic [5:0] from = 0, to = 0;
  logic [6:0] bytes = 0;
  logic zero = 0;
  logic [63:0] enable, next_row;
  aligner aligner (.in(lanes), .from(from), .to(to), .count(bytes), .zero(zero), .out(aligned),
                   .enable(enable), .next_row(next_row));
  // The target: 17 rows of the registers.
  logic file_write = 0;
  logic [8:0] file_row = 0;
  logic [63:0] file_next = 0, file_enable = 0;
  logic [511:0] file_in = 0, file_out;
  registers registers (.clk(clk), .write(file_write), .row(file_row), .next_row(file_next),
                       .enable(file_enable), .in(file_in), .out(file_out));

  task automatic write_row(int number, logic [511:0] bytes_in, logic [63:0] where, logic [63:0] behind);
    file_write = 1;
    file_row = number[8:0];
    file_in = bytes_in;
    file_enable = where;
    file_next = behind;
    tick();
    file_write = 0;
    file_next = 0;
  endtask

  task automatic check_aligner(int at, output int next);
    int slices;
    slices = int'(vectors[at][31:0]);
    for (int r = 0; r < 17; r++) write_row(r, vectors[at+1+r], ~64'd0, 64'd0);
    for (int s = 0; s < slices; s++) begin
      from = vectors[at+18+2*s][5:0];
      to = vectors[at+18+2*s][11:6];
      bytes = vectors[at+18+2*s][18:12];
      zero = vectors[at+18+2*s][24];
      lanes = vectors[at+19+2*s];
      #1 write_row(int'(vectors[at+18+2*s][23:19]), aligned, enable, next_row);
    end
    next = at + 18 + 2 * slices;
    for (int r = 0; r < 17; r++) begin
      file_row = r[8:0];
      tick();
      if (file_out !== vectors[next+r]) begin
        $display("slices at %0d, row %0d: %h, not %h", at, r, file_out, vectors[next+r]);
        errors = errors + 1;
      end
    end
    next = next + 17;
  endtask

  int at = 0;
  initial begin
    if (!$value$plusargs("count=%d", count)) $fatal(1, "no +count=N");
    if ($value$plusargs("permuter=%s", name)) begin
      $readmemh(name, vectors);
      for (int i = 0; i < count; i++) check_permuter(65 * i);
      $display("permuter: %0d vectors, %0d errors", count, errors);
    end
    if ($value$plusargs("aligner=%s", name)) begin
      $readmemh(name, vectors);
      for (int i = 0; i < count; i++) check_aligner(at, at);
      $display("aligner: %0d vectors, %0d errors", count, errors);
    end
    $finish;
  end
endmodule
