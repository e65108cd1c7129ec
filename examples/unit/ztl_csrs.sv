// SPDX-License-Identifier: Apache-2.0
// The CSRs of Ztl 2, and which masks were ever written. A read needs no clock.
module ztl_csrs (
    input logic clk,
    input logic reset,
    input logic [11:0] address,
    input logic write,
    input logic [31:0] wdata,
    output logic exists,
    output logic [31:0] rdata,
    // An illegal Ztl instruction leaves its reason.
    input logic set_status,
    input logic [10:0] new_status,
    output logic [23:0] shape,
    output logic [7:0] permutation,
    output logic [11:0] ttype,
    output logic [31:0] mask_1,
    output logic [31:0] mask_2,
    output logic [31:0] load_mask,
    output logic [31:0] store_mask,
    output logic [3:0] initialised,  // store_mask, load_mask, mask_2, mask_1
    output logic [31:0] load_width,
    output logic [31:0] store_width,
    // The stride of one slice.
    input logic [4:0] slice,
    output logic [31:0] load_stride,
    output logic [31:0] store_stride
);
  logic [10:0] status;
  logic [31:0] load_strides[32];
  logic [31:0] store_strides[32];

  assign load_stride = load_strides[slice];
  assign store_stride = store_strides[slice];

  always_comb begin
    exists = 1;
    casez (address)
      12'h800: rdata = {8'd0, shape};
      12'h801: rdata = {24'd0, permutation};
      12'h802: rdata = 0;
      12'h803: rdata = {21'd0, status};
      12'h804: rdata = {20'd0, ttype};
      12'h810: rdata = mask_1;
      12'h811: rdata = mask_2;
      12'h812, 12'h814: rdata = load_mask;
      12'h813: rdata = store_mask;
      12'h815: rdata = load_width;
      12'h816: rdata = store_width;
      12'b1000_010?_????: rdata = load_strides[address[4:0]];
      12'b1000_011?_????: rdata = store_strides[address[4:0]];
      default: begin
        rdata = 0;
        exists = 0;
      end
    endcase
  end

  always_ff @(posedge clk) begin
    if (reset) begin
      shape <= 0;
      permutation <= 8'he4;
      status <= 0;
      ttype <= 0;
      mask_1 <= 0;
      mask_2 <= 0;
      load_mask <= 0;
      store_mask <= 0;
      initialised <= 0;
      load_width <= 0;
      store_width <= 0;
      for (int i = 0; i < 32; i++) begin
        load_strides[i] <= i;
        store_strides[i] <= i;
      end
    end else if (set_status) begin
      status <= new_status;
    end else if (write) begin
      casez (address)
        12'h800: shape <= wdata[23:0];
        12'h801: permutation <= wdata[7:0];
        12'h803: status <= wdata[10:0];
        12'h804: ttype <= wdata[11:0];
        12'h810: mask_1 <= wdata;
        12'h811: mask_2 <= wdata;
        12'h812: load_mask <= wdata;
        12'h813: store_mask <= wdata;
        12'h814: begin
          load_mask <= wdata;
          store_mask <= wdata;
        end
        12'h815: load_width <= wdata;
        12'h816: store_width <= wdata;
        12'b1000_010?_????: load_strides[address[4:0]] <= wdata;
        12'b1000_011?_????: store_strides[address[4:0]] <= wdata;
        default: ;
      endcase
      initialised <= initialised | {address == 12'h813 || address == 12'h814,
                                    address == 12'h812 || address == 12'h814,
                                    address == 12'h811, address == 12'h810};
    end
  end
endmodule
