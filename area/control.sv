// SPDX-License-Identifier: Apache-2.0
// What the permuter's networks have to do for a permutation of the 11 bits of a pair's byte index.
// Output bit k takes input bit order[4k+3:4k], of which the lower six are the lane of a row of 64 bytes.
//
// A row's bytes lie in different banks when it is written and when it is read: bank bit k is input bit k,
// and where that is no lane bit of the output, exclusive-ored with an input bit that is one and is not a
// lane bit of the input. There are as many of these as of those; `partner` pairs them.
module control (
    input logic [43:0] order,
    input logic [4:0] row,          // that is written, or of the output that is read
    output logic [5:0] skew,        // of the row that is written
    output logic [5:0] flip,        // of the banks' bytes that are read
    output logic [4:0] fixed_row,   // the bank's row: bits that are the same in all banks
    output logic [29:0] vary,       // row bit i is also exclusive-ored with bank bit vary[6i+:6], one-hot
    output logic [14:0] exchange    // of the lane-bit switches
);
  // Which input bits become lane bits, and the value of those that the output's row fixes.
  logic [10:0] to_lane, fixed;
  always @* begin
    to_lane = 0;
    fixed = 0;
    for (int i = 0; i < 11; i++)
      for (int k = 0; k < 11; k++)
        if (order[4*k+:4] == i[3:0]) begin
          if (k < 6) to_lane[i] = 1;
          else if (row[k-6]) fixed[i] = 1;
        end
  end

  // pair[6i + k]: input bit 6 + i is the partner of lane bit k. The n-th of one kind meets the n-th of
  // the other.
  logic [29:0] pair;
  logic [2:0] rank_k, rank_i;
  always @* begin
    pair = 0;
    rank_k = 0;
    rank_i = 0;
    for (int k = 0; k < 6; k++) begin
      rank_i = 0;
      for (int i = 0; i < 5; i++) begin
        if (to_lane[6+i] && !to_lane[k] && rank_i == rank_k) pair[6*i+k] = 1;
        if (to_lane[6+i]) rank_i = rank_i + 3'd1;
      end
      if (!to_lane[k]) rank_k = rank_k + 3'd1;
    end
  end

  logic [5:0] parity;
  always @* begin
    skew = 0;
    for (int i = 0; i < 5; i++) skew = skew ^ (pair[6*i+:6] & {6{row[i]}});
    flip = fixed[5:0] & ~to_lane[5:0];
    vary = pair;
    parity = 0;
    fixed_row = 0;
    for (int i = 0; i < 5; i++) begin
      parity = pair[6*i+:6] & fixed[5:0];
      fixed_row[i] = to_lane[6+i] ? ^parity : fixed[6+i];
    end
  end

  // Where bank bit k has to go: to the output's lane bit that is the input bit k or its partner. A sort of
  // the six places by exchanges of neighbours, 3 and 2 in turn, is the switches' setting.
  logic [17:0] place;
  logic [2:0] kept;
  logic goes;
  int low;  // of the two bits that a switch exchanges
  always @* begin
    place = 0;
    kept = 0;
    goes = 0;
    low = 0;
    for (int k = 0; k < 6; k++)
      for (int q = 0; q < 6; q++) begin
        goes = order[4*q+:4] == k[3:0];
        for (int i = 0; i < 5; i++) if (pair[6*i+k] && order[4*q+:4] == 4'd6 + i[3:0]) goes = 1;
        if (goes) place[3*k+:3] = q[2:0];
      end
    exchange = 0;
    for (int n = 0; n < 15; n++) begin
      low = n % 5 < 3 ? n % 5 * 2 : n % 5 * 2 - 5;  // 0 2 4, 1 3, 0 2 4, …
      if (place[3*low+:3] > place[3*low+3+:3]) begin
        exchange[n] = 1;
        kept = place[3*low+:3];
        place[3*low+:3] = place[3*low+3+:3];
        place[3*low+3+:3] = kept;
      end
    end
  end
endmodule
