# SPDX-License-Identifier: Apache-2.0
"""Operators with indices at run time, in a tensor, with what numpy makes of them.

Expected values are plain loops over np.ndindex, or numpy's own take and compress.
"""
import numpy as np

from tensors import DTYPES, MODES, Tensor, element, extent, noise, rng, shape, signed, write_case

# Forms of operators that exist with constant indices too.
FORMS = ["gather-run", "compress-run"]
NAMES = FORMS + ["gather-elements", "gather-nd", "scatter-elements", "scatter-nd",
                 "tensor-scatter"]


def index_tensor(values):
    """Indices of 32 or 64 bits in any order of dimensions, many of them negative."""
    values = np.asarray(values, np.int64)
    t = Tensor(values.shape, rng.choice([32, 64]), rng.random() < 0.5)
    t.array[...] = values.astype(np.int32 if t.bits == 32 else np.int64).view(t.array.dtype)
    return t


def positions(shape_, n):
    """Random indices below n, from the end where they are negative; sometimes all alike."""
    if rng.random() < 0.1:
        return np.full(shape_, rng.randrange(-n, n))
    return noise.randint(-n, n, shape_)


def data(rank, least=1):
    while True:
        t = Tensor(shape(rank), element())
        if all(n >= least for n in t.array.shape):
            return t


def op_gather_run():
    a = data(rng.randrange(1, 5))
    axis = rng.randrange(a.array.ndim)
    dims = [extent() for _ in range(rng.choice([0, 1, 1, 1, 2, 3]))]
    if np.prod(dims, dtype=int) * a.array.size > 60000:
        dims = dims[:1]
    if len(dims) + a.array.ndim > 9:
        dims = []
    index = positions(dims, a.array.shape[axis])
    result = np.take(a.array, index, axis)
    return {"has_axis": 1, "axis": signed(axis, a.array.ndim)}, [a, index_tensor(index)], [result]


def op_compress_run():
    a = Tensor(shape(rng.randrange(1, 5)), element())
    flat = rng.random() < 0.4
    axis = 0 if flat else rng.randrange(a.array.ndim)
    most = a.array.size if flat else a.array.shape[axis]
    n = most if rng.random() < 0.7 else rng.randrange(most + 1)
    condition = noise.randint(0, 2, n).astype(np.uint8) * noise.randint(1, 256, n).astype(np.uint8)
    if rng.random() < 0.1:
        condition[...] = rng.randrange(2)
    c = Tensor(condition.shape, 8, rng.random() < 0.5)
    c.array[...] = condition
    source = a.array.reshape(-1) if flat else a.array
    result = np.compress(condition != 0, source, axis)
    attributes = {} if flat else {"has_axis": 1, "axis": signed(axis, a.array.ndim)}
    return attributes, [a, c], [result, np.array(result.shape[axis], np.uint64)]


def smaller(shape_, axis):
    return [extent() if d == axis else rng.choice([n, n, rng.randrange(n + 1)])
            for d, n in enumerate(shape_)]


def op_gather_elements():
    a = data(rng.randrange(1, 5))
    axis = rng.randrange(a.array.ndim)
    index = positions(smaller(a.array.shape, axis), a.array.shape[axis])
    result = np.empty(index.shape, a.array.dtype)
    for at in np.ndindex(*index.shape):
        source = at[:axis] + (index[at],) + at[axis + 1:]
        result[at] = a.array[source]
    return ({"has_axis": 1, "axis": signed(axis, a.array.ndim)}, [a, index_tensor(index)],
            [result])


def op_gather_nd():
    a = data(rng.randrange(1, 5))
    batch = rng.randrange(a.array.ndim) if rng.random() < 0.4 else 0
    count = rng.randrange(1, a.array.ndim - batch + 1)
    dims = list(a.array.shape[:batch]) + [extent() for _ in range(rng.choice([0, 1, 1, 2]))]
    if np.prod(dims, dtype=int) * a.array.size > 60000:
        dims = dims[:batch]
    if len(dims) + a.array.ndim - batch - count > 8:
        dims = dims[:batch]
    named = a.array.shape[batch:batch + count]
    index = np.stack([positions(dims, n) for n in named], -1)
    result = np.empty(tuple(dims) + a.array.shape[batch + count:], a.array.dtype)
    for at in np.ndindex(*dims):
        result[at] = a.array[at[:batch] + tuple(index[at])]
    return {"batch_dims": batch}, [a, index_tensor(index)], [result]


def op_scatter_elements():
    a = data(rng.randrange(1, 5))
    axis = rng.randrange(a.array.ndim)
    index = positions(smaller(a.array.shape, axis), a.array.shape[axis])
    updates = Tensor(index.shape, a.bits)
    result = a.array.copy()
    for at in np.ndindex(*index.shape):
        result[at[:axis] + (index[at],) + at[axis + 1:]] = updates.array[at]
    return ({"has_axis": 1, "axis": signed(axis, a.array.ndim)},
            [a, index_tensor(index), updates], [result])


def op_scatter_nd():
    a = data(rng.randrange(1, 5))
    count = rng.randrange(1, a.array.ndim + 1)
    dims = [extent() for _ in range(rng.choice([0, 1, 1, 2]))]
    rest = a.array.shape[count:]
    if np.prod(dims, dtype=int) * np.prod(rest, dtype=int) > 30000 or len(dims) + len(rest) > 8:
        dims = dims[:1] if len(rest) < 8 else []
    index = np.stack([positions(dims, n) for n in a.array.shape[:count]], -1)
    updates = Tensor(tuple(dims) + rest, a.bits)
    result = a.array.copy()
    for at in np.ndindex(*dims):
        result[tuple(index[at])] = updates.array[at]
    return {}, [a, index_tensor(index), updates], [result]


def op_tensor_scatter():
    cache = data(rng.randrange(2, 6))
    axis = rng.choice([-2, rng.randrange(cache.array.ndim)])
    where = axis % cache.array.ndim
    dims = list(cache.array.shape)
    length = dims[where]
    dims[where] = rng.randrange(length + 1)
    mode = rng.choice(["linear", "circular"])
    update = Tensor(dims, cache.bits)
    each = where > 0 and rng.random() < 0.7
    last = length - dims[where] + 1 if mode == "linear" else 3 * length
    starts = noise.randint(0, last, [cache.array.shape[0]] if each else [])
    inputs = [cache, update]
    if rng.random() < 0.1:
        starts = np.zeros([], int)
    else:
        inputs.append(index_tensor(starts))
    result = cache.array.copy()
    for b in range(cache.array.shape[0] if each else 1):
        for s in range(dims[where]):
            to = [slice(None)] * cache.array.ndim
            of = list(to)
            if starts.ndim:
                to[0] = of[0] = b
            at = int(starts[b] if starts.ndim else starts) + s
            to[where], of[where] = at % length, s
            result[tuple(to)] = update.array[tuple(of)]
    attributes = {"mode": MODES[mode]}
    if axis != -2 or rng.random() < 0.5:
        attributes.update(has_axis=1, axis=axis)
    return attributes, inputs, [result]


def write_indexed(pipe, kind, attributes, inputs, results, dense):
    """Outputs have the element of input 0; compress has room for all positions, and a count."""
    outputs = [Tensor(results[0].shape, inputs[0].bits, dense)]
    if kind == "compress-run":
        most = list(inputs[0].array.shape)
        axis = attributes.get("axis", 0) % len(most)
        most[axis] = inputs[1].array.size
        outputs = [Tensor(most if "has_axis" in attributes else [inputs[1].array.size],
                          inputs[0].bits, dense), Tensor([], 64, dense)]
        part = [slice(None)] * outputs[0].array.ndim
        part[axis if "has_axis" in attributes else 0] = slice(0, int(results[1]))
        whole = outputs[0].array.copy()
        whole[tuple(part)] = results[0]
        results = [whole, results[1]]
    name = kind[:-4] if kind in FORMS else kind
    write_case(pipe, name, attributes, inputs, outputs, results)
