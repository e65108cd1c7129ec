// SPDX-License-Identifier: Apache-2.0
// Runs a program on the machine.
//
//   +program=FILE   memory from 0x80000000 on, as $readmemh reads it
//   +status=FILE    where the status goes with which the program ends
//   +cycles=N       124 is its status if it has not ended by then
//   +bug=N          with one of the faults that are built into the unit
//   +lockstep       each instruction in the model too, if built with +define+LOCKSTEP
//   +wave=FILE      signals, if built with --trace
module bench;
  logic clk = 0, reset = 1;
  logic [1:0] bug = 0;
  logic done, done_trap, console, ends;
  logic [31:0] done_pc, done_word, device_data;
  localparam int RamSize = 1 << 18;
  machine #(.RamSize(RamSize)) dut (.*);

  string program_name, status_name, wave_name;
  int limit = 2_000_000_000, cycle = 0;

  task automatic finish(int status);
    int file;
    if ($value$plusargs("status=%s", status_name)) begin
      file = $fopen(status_name, "w");
      $fdisplay(file, "%0d", status);
      $fclose(file);
    end
    $finish;
  endtask

`ifdef LOCKSTEP
  lockstep #(.RamSize(RamSize)) beside (.*);
`endif

  initial begin
    if (!$value$plusargs("program=%s", program_name)) $fatal(1, "no +program=FILE");
    $readmemh(program_name, dut.ram);
`ifdef LOCKSTEP
    if ($test$plusargs("lockstep") != 0) beside.create();
`endif
    void'($value$plusargs("cycles=%d", limit));
    void'($value$plusargs("bug=%d", bug));
    if ($value$plusargs("wave=%s", wave_name)) begin
      $dumpfile(wave_name);
      $dumpvars;
    end
    #5 reset = 0;
  end

  initial forever #1 clk = ~clk;

  // Everything is looked at between two rising edges, when it has settled.
  initial
    forever begin
      @(negedge clk);
      cycle++;
      if (console) $write("%c", device_data[7:0]);
`ifdef LOCKSTEP
      if (done) beside.compare();
      if (beside.differs) finish(1);
`endif
      if (ends) finish(device_data);
      else if (cycle == limit) finish(124);
    end
endmodule
