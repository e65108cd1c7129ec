# SPDX-License-Identifier: Apache-2.0
"""Calls from the signatures and examples in the documentation of NumPy, PyTorch and einops. A text
alone is evaluated with NumPy's or PyTorch's module under that name, and with ztl.ops under it; a pair
says what NumPy makes of it where NumPy has no such function, and of what is einops'."""

NUMPY = """
np.transpose(x)
np.transpose(x, (1, 0, 2))
np.transpose(x, axes=(1, 0, 2))
np.transpose(x, axes=[2, 0, 1])
np.transpose(np_.ones((2, 3, 4, 5)))
np.moveaxis(x, 0, -1)
np.moveaxis(x, -1, 0)
np.moveaxis(x, [0, 1], [-1, -2])
np.moveaxis(a=x, source=[0, 1, 2], destination=[-1, -2, -3])
np.rollaxis(y4, 3, 1)
np.rollaxis(y4, 2)
np.rollaxis(y4, 1, 4)
np.swapaxes(x, 0, 2)
np.swapaxes(np_.array([[1, 2, 3]]), 0, 1)
np.swapaxes(x, axis1=-1, axis2=0)
np.reshape(m, (3, 2))
np.reshape(m, 6)
np.reshape(m, (3, -1))
np.reshape(m, 6, order='F')
np.reshape(m, (3, 2), order='F')
np.reshape(np_.reshape(m, (3, 2)), (2, 3), order='F')
np.ravel(m)
np.ravel(m, order='F')
np.ravel(m.T)
np.expand_dims(v, axis=0)
np.expand_dims(v, axis=1)
np.expand_dims(v, axis=(0, 1))
np.expand_dims(v, axis=(2, 0))
np.squeeze(np_.array([[[0], [1], [2]]]))
np.squeeze(np_.array([[[0], [1], [2]]]), axis=0)
np.squeeze(np_.array([[[0], [1], [2]]]), axis=2)
np.squeeze(np_.array([[1234]]))
np.broadcast_to(np_.array([1, 2, 3]), (3, 3))
np.broadcast_to(array=np_.array([[1], [2]]), shape=(4, 2, 3))
np.broadcast_arrays(np_.array([[1, 2, 3]]), np_.array([[4], [5]]))
np.meshgrid(np_.linspace(0, 1, 3), np_.linspace(0, 1, 2))
np.meshgrid(np_.arange(3), np_.arange(4), indexing='ij')
np.meshgrid(np_.arange(3), np_.arange(4), sparse=True)
np.atleast_1d(3.0)
np.atleast_2d(v)
np.atleast_3d(v)
np.atleast_3d(m)
np.concatenate((m, m[:1]), axis=0)
np.concatenate((m, m[:, :1]), axis=1)
np.concatenate((m, v), axis=None)
np.concatenate([m, m])
np.stack((v, v + 1))
np.stack((v, v + 1), axis=-1)
np.stack([x for _ in range(4)], axis=1)
np.stack(arrays=[x, x], axis=2)
np.vstack((v, v + 3))
np.vstack((v[:, None], v[:, None]))
np.hstack((v, v + 3))
np.hstack((v[:, None], v[:, None]))
np.dstack((v, v + 3))
np.dstack((v[:, None], v[:, None]))
np.column_stack((v, v + 3))
np.column_stack((m, m[:, 0]))
np.row_stack((v, v))
np.block([[np_.eye(2) * 2, np_.zeros((2, 3))], [np_.ones((3, 2)), np_.eye(3) * 3]])
np.block([1, 2, 3])
np.block([v, v, 10])
np.block([[v], [v]])
np.split(np_.arange(9.0), 3)
np.split(np_.arange(8.0), [3, 5, 6, 10])
np.split(x, 2, axis=2)
np.split(x, 2, 2)
np.split(x, indices_or_sections=(1,), axis=1)
np.split(ary=m, indices_or_sections=3, axis=1)
np.array_split(np_.arange(8.0), 3)
np.array_split(np_.arange(9), 4)
np.array_split(x, 3, axis=-1)
np.vsplit(np_.arange(16.0).reshape(4, 4), 2)
np.vsplit(np_.arange(16.0).reshape(4, 4), np_.array([3, 6]))
np.hsplit(np_.arange(16.0).reshape(4, 4), 2)
np.hsplit(np_.array([0, 1, 2, 3, 4, 5]), 2)
np.dsplit(np_.arange(16.0).reshape(2, 2, 4), 2)
np.tile(np_.array([0, 1, 2]), 2)
np.tile(np_.array([0, 1, 2]), (2, 2))
np.tile(np_.array([0, 1, 2]), (2, 1, 2))
np.tile(np_.array([[1, 2], [3, 4]]), 2)
np.tile(np_.array([[1, 2], [3, 4]]), (2, 1))
np.tile(A=np_.array([1, 2, 3, 4]), reps=(4, 1))
np.tile(x, 2)
np.repeat(3, 4)
np.repeat(m, 2)
np.repeat(m, 3, axis=1)
np.repeat(m, [1, 2], axis=0)
np.repeat(a=m, repeats=[2, 0, 1], axis=1)
np.delete(np_.arange(12).reshape(3, 4), 1, 0)
np.delete(np_.arange(12).reshape(3, 4), [0, 2], axis=1)
np.delete(np_.arange(12).reshape(3, 4), [1, 3, 5], None)
np.delete(np_.arange(12), slice(None, None, 2))
np.insert(np_.array([[1, 1], [2, 2], [3, 3]]), 1, 5)
np.insert(np_.array([[1, 1], [2, 2], [3, 3]]), 1, 5, axis=1)
np.insert(np_.array([[1, 1], [2, 2], [3, 3]]), 1, [1, 2, 3], axis=1)
np.append([1, 2, 3], [[4, 5, 6], [7, 8, 9]])
np.append([[1, 2, 3], [4, 5, 6]], [[7, 8, 9]], axis=0)
np.resize(np_.array([[0, 1], [2, 3]]), (2, 3))
np.resize(np_.array([[0, 1], [2, 3]]), (1, 4))
np.resize(np_.array([[0, 1], [2, 3]]), (2, 4))
np.resize(m, 4)
np.resize(m, new_shape=(5, 5))
np.flip(m)
np.flip(m, 0)
np.flip(m, axis=1)
np.flip(m=x, axis=(0, 2))
np.flip(x, axis=None)
np.flipud(m)
np.fliplr(m)
np.roll(np_.arange(10), 2)
np.roll(np_.arange(10), -2)
np.roll(m, 1)
np.roll(m, 1, axis=0)
np.roll(m, -1, axis=1)
np.roll(m, (1, 1), axis=(1, 0))
np.roll(m, (2, 1), axis=(1, 0))
np.roll(m, 1, axis=(0, 1))
np.roll(a=m, shift=(2, 1), axis=1)
np.rot90(m)
np.rot90(m, 2)
np.rot90(m, k=-1)
np.rot90(x, 1, (1, 2))
np.rot90(m=x, k=3, axes=(0, 2))
np.pad([1, 2, 3, 4, 5], (2, 3), 'constant', constant_values=(4, 6))
np.pad([1, 2, 3, 4, 5], (2, 3), 'edge')
np.pad([1, 2, 3, 4, 5], (2, 3), 'reflect')
np.pad([1, 2, 3, 4, 5], (2, 3), 'symmetric')
np.pad([1, 2, 3, 4, 5], (2, 3), 'wrap')
np.pad([1, 2, 3], 7, 'symmetric')
np.pad(m, 5, 'symmetric')
np.pad(m, ((1, 2), (0, 3)), mode='constant', constant_values=9)
np.pad(m, ((1, 2), (2, 1)), constant_values=((1, 2), (3, 4)))
np.pad(array=m, pad_width=((1, 1),))
np.pad(m, 1)
np.take(np_.array([4, 3, 5, 7, 6, 8]), [0, 1, 4])
np.take(np_.array([4, 3, 5, 7, 6, 8]), [[0, 1], [2, 3]])
np.take(m, [0, 2], axis=1)
np.take(m, np_.array([-1, 7]), mode='wrap')
np.take(m, [9, -3], axis=1, mode='clip')
np.take(a=x, indices=1, axis=0)
np.take_along_axis(m2, np_.argsort(m2, axis=1), axis=1)
np.take_along_axis(m2, np_.expand_dims(np_.argmax(m2, axis=1), 1), axis=1)
np.take_along_axis(m2, np_.array([[2, 1]]).T, 1)
np.take_along_axis(m2, np_.array([0, 5]), None)
np.compress([0, 1], m[:2], axis=0)
np.compress([False, True, True], m, axis=1)
np.compress([0, 1, 1], m.T, axis=0)
np.compress(condition=[0, 1], a=m, axis=0)
np.extract(np_.mod(m, 3) == 0, m)
np.choose([2, 3, 1, 0], np_.arange(16).reshape(4, 4))
np.choose([2, 4, 1, 0], np_.arange(16).reshape(4, 4), mode='clip')
np.choose([2, 4, 1, 0], np_.arange(16).reshape(4, 4), mode='wrap')
np.select([m < 3, m > 3], [m, -m], 42)
np.where(m < 4, m, 10 * m)
np.where([[True, False], [True, True]], [[1, 2], [3, 4]], [[9, 8], [7, 6]])
np.where(m < 4, m, -1)
np.diagonal(np_.arange(4).reshape(2, 2))
np.diagonal(np_.arange(4).reshape(2, 2), 1)
np.diagonal(x, 0, 0, 1)
np.diagonal(a=x, offset=-1, axis1=1, axis2=2)
np.triu(np_.arange(1, 13).reshape(4, 3), -1)
np.triu(x)
np.tril(np_.arange(1, 13).reshape(4, 3), -1)
np.tril(m=x, k=1)
np.full((2, 2), 10)
np.full(shape=(2, 2), fill_value=[[1.5]][0][0])
np.zeros((2, 1))
np.zeros(5, dtype=int)
np.ones((2, 1), dtype='f4')
np.full_like(np_.arange(6), 0.1)
np.full_like(np_.arange(6), 0.1, dtype=np_.double)
np.zeros_like(x)
np.ones_like(x, dtype='i1')
np.eye(2, dtype=int)
np.eye(3, k=1)
np.eye(3, 5, -1)
np.tri(3, 5, 2, dtype=int)
np.tri(3, 5, -1)
np.copy(x[:, ::-1])
np.ascontiguousarray(x.T)
"""

# What Debian's NumPy does not have, or does wrongly: with what its parts make of it.
NUMPY_PAIRS = """
np.permute_dims(x, (2, 0, 1)) | x.transpose(2, 0, 1)
np.permute_dims(x, axes=(0, 2, 1)) | x.transpose(0, 2, 1)
np.matrix_transpose(x) | x.swapaxes(-1, -2)
np.concat((m, m), axis=1) | np_.concatenate((m, m), axis=1)
np.concat([m, m]) | np_.concatenate((m, m))
np.concat((m, v), axis=None) | np_.concatenate((m, v), axis=None)
np.unstack(x, axis=1) | [x[:, i] for i in range(3)]
np.pad(v, 10, 'wrap') | v[np_.arange(-10, 13) % 3]
np.pad(v, (5, 7), mode='reflect') | v[[1, 0, 1, 2] * 3 + [1, 0, 1]]
np.pad(m, ((0, 4), (9, 0)), 'wrap') | m[np_.arange(6) % 2][:, np_.arange(-9, 3) % 3]
np.sliding_window_view(x, (2, 2), (1, 2)) | windows(x, (2, 2), (1, 2))
"""

TORCH = """
torch.permute(T(x), (2, 0, 1)) | x.transpose(2, 0, 1)
torch.permute(input=T(x), dims=(1, 0, 2)) | x.transpose(1, 0, 2)
torch.transpose(T(x), 0, 1) | x.swapaxes(0, 1)
torch.transpose(input=T(x), dim0=0, dim1=2) | x.swapaxes(0, 2)
torch.t(T(m)) | m.T
torch.movedim(T(x), 1, 0) | np_.moveaxis(x, 1, 0)
torch.movedim(T(x), (1, 2), (0, 1)) | np_.moveaxis(x, (1, 2), (0, 1))
torch.swapdims(T(x), 0, 2) | x.swapaxes(0, 2)
torch.swapaxes(input=T(x), axis0=0, axis1=1) | x.swapaxes(0, 1)
torch.cat((T(m), T(m), T(m)), 0) | np_.concatenate((m, m, m))
torch.cat((T(m), T(m)), dim=1) | np_.concatenate((m, m), 1)
torch.cat(tensors=(T(m), T(m)), dim=-1) | np_.concatenate((m, m), 1)
torch.concat([T(m), T(m)], dim=0) | np_.concatenate((m, m))
torch.stack((T(m), T(m)), dim=1) | np_.stack((m, m), 1)
torch.hstack((T(v), T(v))) | np_.hstack((v, v))
torch.chunk(T(np_.arange(11)), 6) | np_.split(np_.arange(11), [2, 4, 6, 8, 10])
torch.chunk(T(np_.arange(12)), 6) | np_.split(np_.arange(12), 6)
torch.chunk(T(x), chunks=2, dim=-1) | np_.split(x, 2, -1)
torch.split(T(np_.arange(10).reshape(5, 2)), 2, dim=0) | np_.split(np_.arange(10).reshape(5, 2), [2, 4])
torch.split(T(np_.arange(10).reshape(5, 2)), [1, 4], dim=0) | np_.split(np_.arange(10).reshape(5, 2), [1])
torch.split(T(x), split_size_or_sections=3, dim=2) | np_.split(x, [3], 2)
torch.tensor_split(T(np_.arange(8)), 3) | np_.array_split(np_.arange(8), 3)
torch.tensor_split(T(np_.arange(7)), (1, 6)) | np_.split(np_.arange(7), (1, 6))
torch.unbind(T(m)) | list(m)
torch.unbind(T(x), dim=1) | [x[:, i] for i in range(3)]
torch.squeeze(T(x[:1, :, :1]), dim=0) | x[0, :, :1]
torch.squeeze(T(x[:1, :, :1])) | x[0, :, 0]
torch.unsqueeze(T(v), 0) | v[None]
torch.unsqueeze(T(v), dim=1) | v[:, None]
torch.flatten(T(x), start_dim=1) | x.reshape(2, 12)
torch.flatten(T(x), start_dim=0, end_dim=1) | x.reshape(6, 4)
torch.ravel(T(x)) | x.ravel()
torch.reshape(T(x), (4, -1)) | x.reshape(4, -1)
torch.reshape(input=T(x), shape=(-1,)) | x.ravel()
torch.broadcast_to(T(v), (3, 3)) | np_.broadcast_to(v, (3, 3))
torch.broadcast_to(input=T(v), size=(2, 3)) | np_.broadcast_to(v, (2, 3))
torch.tile(T(v), (2,)) | np_.tile(v, 2)
torch.tile(T(m), dims=(2, 2)) | np_.tile(m, (2, 2))
torch.repeat_interleave(T(v), 2) | np_.repeat(v, 2)
torch.repeat_interleave(T(m), 3, dim=1) | np_.repeat(m, 3, 1)
torch.repeat_interleave(T(m), T(np_.array([1, 2])), dim=0) | np_.repeat(m, [1, 2], 0)
torch.flip(T(x), [0, 1]) | x[::-1, ::-1]
torch.flip(input=T(x), dims=(2,)) | x[:, :, ::-1]
torch.fliplr(T(m)) | m[:, ::-1]
torch.flipud(T(m)) | m[::-1]
torch.roll(T(m), 1) | np_.roll(m, 1)
torch.roll(T(m), shifts=(2, 1), dims=(0, 1)) | np_.roll(m, (2, 1), (0, 1))
torch.roll(T(m), -1, 0) | np_.roll(m, -1, 0)
torch.rot90(T(m), 1, [0, 1]) | np_.rot90(m)
torch.rot90(T(x), k=1, dims=[1, 2]) | np_.rot90(x, 1, (1, 2))
torch.gather(T(t2), 1, T(np_.array([[0, 0], [1, 0]]))) | np_.array([[1, 1], [4, 3]])
torch.gather(input=T(t2), dim=0, index=T(np_.array([[0, 1]]))) | np_.array([[1, 4]])
torch.gather(T(x), 2, T(np_.array([[[3, 0]], [[1, 1]]]))) | np_.take_along_axis(x[:, :1], np_.array([[[3, 0]], [[1, 1]]]), 2)
torch.take(T(m), T(np_.array([0, 2, 5]))) | m.take([0, 2, 5])
torch.take_along_dim(T(m2), T(np_.argsort(m2, 1)), dim=1) | np_.sort(m2, 1)
torch.index_select(T(x), 0, T(np_.array([1, 0]))) | x[[1, 0]]
torch.index_select(input=T(x), dim=1, index=T(np_.array([0, 2]))) | x[:, [0, 2]]
torch.narrow(T(x), 0, 0, 1) | x[:1]
torch.narrow(T(x), dim=1, start=1, length=2) | x[:, 1:3]
torch.select(T(x), 1, 2) | x[:, 2]
torch.select(T(x), dim=0, index=-1) | x[-1]
torch.masked_select(T(m), T(m) > 3) | m[m > 3]
torch.where(T(m) > 3, T(m), T(-m)) | np_.where(m > 3, m, -m)
torch.scatter(T(np_.zeros((3, 5), int)), 0, T(np_.array([[0, 1, 2, 0]])), T(np_.arange(1, 11).reshape(2, 5))) | np_.array([[1, 0, 0, 4, 0], [0, 2, 0, 0, 0], [0, 0, 3, 0, 0]])
torch.scatter(T(np_.zeros((2, 4))), 1, T(np_.array([[2], [3]])), 1.5) | np_.array([[0, 0, 1.5, 0], [0, 0, 0, 1.5]])
torch.index_copy(T(np_.zeros((5, 3), int)), 0, T(np_.array([0, 4, 2])), T(np_.arange(1, 10).reshape(3, 3))) | np_.array([[1, 2, 3], [0, 0, 0], [7, 8, 9], [0, 0, 0], [4, 5, 6]])
torch.index_fill(T(m), 1, T(np_.array([0, 2])), -1) | np_.array([[-1, 2, -1], [-1, 5, -1]])
torch.triu(T(m)) | np_.triu(m)
torch.tril(input=T(m), diagonal=1) | np_.tril(m, 1)
torch.diagonal(T(x), 0, dim1=0, dim2=1) | x.diagonal(0, 0, 1)
torch.pixel_shuffle(T(np_.arange(72).reshape(1, 18, 2, 2)), 3) | np_.arange(72).reshape(1, 2, 3, 3, 2, 2).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 6, 6)
torch.pixel_unshuffle(T(np_.arange(72).reshape(1, 2, 6, 6)), 3) | np_.arange(72).reshape(1, 2, 2, 3, 2, 3).transpose(0, 1, 3, 5, 2, 4).reshape(1, 18, 2, 2)
torch.channel_shuffle(T(y4), 2) | y4.reshape(2, 2, 2, 2, 3).swapaxes(1, 2).reshape(2, 4, 2, 3)
torch.clone(T(x)) | x
F.unfold(T(image), (2, 3)) | windows(image, (2, 3), (2, 3)).transpose(0, 1, 4, 5, 2, 3).reshape(1, 12, 9)
F.unfold(T(image), kernel_size=2, stride=2) | windows(image, (2, 2), (2, 3))[:, :, ::2, ::2].transpose(0, 1, 4, 5, 2, 3).reshape(1, 8, 4)
F.unfold(T(image), 3, padding=1) | windows(np_.pad(image, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3)).transpose(0, 1, 4, 5, 2, 3).reshape(1, 18, 20)
F.unfold(T(image), 2, dilation=2) | windows(image, (3, 3), (2, 3))[..., ::2, ::2].transpose(0, 1, 4, 5, 2, 3).reshape(1, 8, 6)
F.fold(T(np_.arange(16.0).reshape(1, 4, 4)), (4, 4), kernel_size=(2, 2), stride=2) | np_.arange(16.0).reshape(2, 2, 2, 2).transpose(2, 0, 3, 1).reshape(1, 1, 4, 4)
F.fold(T(np_.arange(16.0).reshape(4, 4)), output_size=(4, 4), kernel_size=2, stride=2) | np_.arange(16.0).reshape(2, 2, 2, 2).transpose(2, 0, 3, 1).reshape(1, 4, 4)
F.pad(T(image), pad=(1, 2)) | np_.pad(image, ((0, 0), (0, 0), (0, 0), (1, 2)))
F.pad(T(image), pad=(1, 1, 2, 0), mode='constant', value=7.0) | np_.pad(image, ((0, 0), (0, 0), (2, 0), (1, 1)), constant_values=7)
F.pad(T(image), pad=(1, 1, 2, 2), mode='replicate') | np_.pad(image, ((0, 0), (0, 0), (2, 2), (1, 1)), 'edge')
F.pad(T(image), pad=(1, 1, 2, 2), mode='circular') | np_.pad(image, ((0, 0), (0, 0), (2, 2), (1, 1)), 'wrap')
F.pad(T(image), pad=(2, 1, 1, 1), mode='reflect') | np_.pad(image, ((0, 0), (0, 0), (1, 1), (2, 1)), 'reflect')
F.interpolate(T(image), scale_factor=2) | image.repeat(2, 2).repeat(2, 3)
F.interpolate(T(image), size=(3, 7), mode='nearest') | image[:, :, np_.arange(3) * 4 // 3][..., np_.arange(7) * 5 // 7]
F.one_hot(T(np_.arange(5) % 3)) | np_.eye(3, dtype=int)[np_.arange(5) % 3]
F.one_hot(T(np_.arange(6).reshape(3, 2) % 3), num_classes=5) | np_.eye(5, dtype=int)[np_.arange(6).reshape(3, 2) % 3]
torch.full_like(T(m), 7) | np_.full_like(m, 7)
torch.zeros_like(T(m)) | np_.zeros_like(m)
"""

EINOPS = """
rearrange(y4, 'b h w c -> b h w c') | y4
rearrange(list(y4), 'b h w c -> b h w c') | y4
rearrange(list(y4), 'b h w c -> (b h) w c') | y4.reshape(8, 2, 3)
rearrange(list(y4), 'b h w c -> h (b w) c') | y4.transpose(1, 0, 2, 3).reshape(4, 4, 3)
rearrange(list(y4), 'b h w c -> b c h w') | y4.transpose(0, 3, 1, 2)
rearrange(y4, 'b h w c -> b (c h w)') | y4.transpose(0, 3, 1, 2).reshape(2, 24)
rearrange(y4, 'b (h1 h) (w1 w) c -> (b h1 w1) h w c', h1=2, w1=2) | y4.reshape(2, 2, 2, 2, 1, 3).transpose(0, 1, 3, 2, 4, 5).reshape(8, 2, 1, 3)
rearrange(y4, 'b (h h1) (w w1) c -> b h w (c h1 w1)', h1=2, w1=2) | y4.reshape(2, 2, 2, 1, 2, 3).transpose(0, 1, 3, 5, 2, 4).reshape(2, 2, 1, 12)
rearrange(y4, 'b (h p) (w q) c -> b h w (p q c)', p=2, q=2) | y4.reshape(2, 2, 2, 1, 2, 3).transpose(0, 1, 3, 2, 4, 5).reshape(2, 2, 1, 12)
rearrange(y4, '... c -> c ...') | np_.moveaxis(y4, -1, 0)
rearrange(y4, 'b ... -> b (...)') | y4.reshape(2, 24)
rearrange(y4, 'b h w c -> b () h w c 1') | y4[:, None, ..., None]
rearrange(y4[:1], '1 h w c -> h w c') | y4[0]
rearrange(y4, 'a b c d -> d c b a') | y4.T
rearrange(tensor=m, pattern='h w -> (w h)') | m.T.ravel()
repeat(m, 'h w -> h w c', c=3) | np_.repeat(m[..., None], 3, 2)
repeat(m, 'h w -> (repeat h) w', repeat=2) | np_.tile(m, (2, 1))
repeat(m, 'h w -> h (repeat w)', repeat=3) | np_.tile(m, (1, 3))
repeat(m, 'h w -> (h h2) (w w2)', h2=2, w2=2) | m.repeat(2, 0).repeat(2, 1)
repeat(m, 'h w -> (h 2) w') | m.repeat(2, 0)
repeat(v, 'n -> b n', b=4) | np_.tile(v, (4, 1))
"""

REFUSED = [
    ("np.sort(m)", "argsort.*take_along_axis"), ("np.argsort(m)", "take_along_axis"),
    ("np.unique(m)", "numpy.unique"), ("np.nonzero(m)", "gather_nd"), ("np.where(m)", "nonzero"),
    ("np.identity(3)", "ops.eye"), ("np.diag(v)", "where.*eye"), ("np.einsum('ij->ji', m)", "rearrange"),
    ("np.place(m, m > 2, [44])", "where|putmask"), ("np.trim_zeros(v)", "slice"),
    ("np.pad(v, 2, 'linear_ramp', end_values=(5, -4))", "compute"), ("np.pad(v, 2, 'mean')", "computes"),
    ("np.pad(v, 2, 'reflect', reflect_type='odd')", "odd computes"),
    ("np.pad(v, 2, lambda *a: 0)", "computes"), ("np.insert(v, [1, 2], 5)", "concatenate"),
    ("np.split(np_.arange(8), 3)", "equal parts"), ("np.moveaxis(x, 0, 3)", "outside"),
    ("np.stack([m, v])", "one shape"), ("np.transposed(m)", "did you mean.*transpose"),
    ("np.concatonate([m])", "did you mean.*concatenate"), ("np.moveaxs(m)", "moveaxis"),
    ("np.flip(m, axs=1)", "did you mean axes"), ("np.stack([m], axes=0, out_=1)", "no argument"),
    ("np.take(m, [9])", "index 9 .* outside"), ("np.take_along_axis(m, v, 0)", "rank"),
    ("torch.topk(m, 2)", "take_along_axis"), ("torch.scatter_add(m, 0, m, m)", "scatter_elements"),
    ("torch.index_add(m, 0, v, m)", "index_copy"), ("torch.narrow(x, 0, 1, 5)", "not possible"),
    ("F.fold(np_.zeros((1, 9, 4)), (4, 4), 3)", "overlap"), ("F.interpolate(image, scale_factor=2, mode='bilinear')", "computes"),
    ("torch.embedding(m, v)", "take.weight"), ("torch.gather(m, 0, v)", "index of shape"),
    ("rearrange(m, 'h w -> h')", "only the left side has 'w'"),
    ("rearrange(m, 'h w -> h w c', c=3)", "only the right side has.*'c'"),
    ("rearrange(m, 'h w c -> h w c')", "left side has 3 dimensions, the input has 2"),
    ("rearrange(m, '(h a) w -> h a w', a=4)", "no multiple of 4"),
    ("rearrange(m, 'h h -> h')", "more than one axis 'h'"),
    ("rearrange(m, 'h w -> h w', q=2)", "no axis 'q'"), ("rearrange(m, 'h w')", "->"),
    ("rearrange(m, '(h w -> h w', h=2)", "left side has 1"), ("rearrange(m, 'h (w -> h w')", r"no partner for '\('"), ("rearrange(m, 'h w -> (h 2) w')", "only repeat"),
    ("rearrange(m, '(a b) w -> a b w')", "lengths of two axes"), ("repeat(m, 'h w -> h w c')", "needs a length"),
    ("rearrange(m, 'h _w -> _w h')", "no axis '_w'"), ("rearrange(m, 'h w -> w h', h='x')", "length of an axis"),
    ("np.reduce(m, 'h w -> h', 'max')", "rearrange"), ("np.pack([m], 'h *')", "concatenate"),
    ("np.unpack(m, [(1,), (2,)], 'h *')", "split"),
]
