# SPDX-License-Identifier: Apache-2.0
import numpy
import ztl

image = numpy.arange(3 * 32 * 32, dtype="i2").reshape(1, 3, 32, 32)
pixels = ztl.ops.transpose(image, (0, 2, 3, 1))
print(pixels.shape, pixels.dtype, pixels[0, 0, 1])
print((pixels == image.transpose(0, 2, 3, 1)).all())

hart = ztl.Hart()
hart.tl[1][:4] = 10, 20, 30, 250
hart.execute("tl.addi tl2, tl1, 100")
print(hart.tl[2][:4])
try:
    hart.execute("tl.mload tl3, 0(a0)")
except ztl.Trap as trap:
    print(trap)
