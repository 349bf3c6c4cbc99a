import { Readable } from 'node:stream'

/** An entry of an archive. Paths are relative, without `.` and `..`. */
export type TarEntry =
  | { kind: 'folder'; path: string; mode?: number }
  | { kind: 'link'; path: string; target: string }
  | { kind: 'file'; path: string; mode?: number; size: number; content: Uint8Array | AsyncIterable<Uint8Array> }

const BLOCK = 512

/** Writes a tar archive (POSIX ustar, pax headers for long names). Fails if a file's content does not have its declared size. */
export const tarOf = (entries: Iterable<TarEntry> | AsyncIterable<TarEntry>): Readable => Readable.from(blocks(entries))

async function* blocks(entries: Iterable<TarEntry> | AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    const path = entry.kind === 'folder' ? `${entry.path.replace(/\/$/, '')}/` : entry.path
    if (!fits(path)) yield* pax(path)
    const size = entry.kind === 'file' ? entry.size : 0
    yield header({
      path: fits(path) ? path : 'long-name',
      mode: ('mode' in entry ? entry.mode : undefined) ?? (entry.kind === 'folder' ? 0o755 : 0o644),
      size,
      type: { file: '0', link: '2', folder: '5' }[entry.kind],
      target: entry.kind === 'link' ? entry.target : '',
    })
    if (entry.kind !== 'file') continue
    let written = 0
    for await (const chunk of entry.content instanceof Uint8Array ? [entry.content] : entry.content) {
      written += chunk.length
      if (written > size) break
      yield chunk
    }
    if (written !== size) throw new Error(`${path} does not have ${size} bytes`)
    yield padding(size)
  }
  yield Buffer.alloc(2 * BLOCK)
}

const fits = (path: string): boolean => Buffer.byteLength(path) <= 100 && /^[\x20-\x7e]*$/.test(path)

const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** A pax header with the path of the next entry: `length path=name\n`, where the length includes itself. */
function* pax(path: string): Generator<Uint8Array> {
  const rest = Buffer.from(` path=${path}\n`)
  let length = rest.length
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length
  const record = Buffer.concat([Buffer.from(String(length)), rest])
  yield header({ path: 'pax', mode: 0o644, size: record.length, type: 'x', target: '' })
  yield record
  yield padding(record.length)
}

function header({
  path,
  mode,
  size,
  type,
  target,
}: Record<'path' | 'type' | 'target', string> & Record<'mode' | 'size', number>) {
  const block = Buffer.alloc(BLOCK)
  block.write(path, 0, 100)
  block.write(octal(mode, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  // 8 GiB and more: a binary number, which all current tar programs read.
  if (size < 8 ** 11) block.write(octal(size, 11), 124)
  else {
    block.writeUInt8(0x80, 124)
    block.writeBigUInt64BE(BigInt(size), 128)
  }
  block.write(octal(0, 11), 136)
  block.write('        ', 148)
  block.write(type, 156)
  block.write(target, 157, 100)
  block.write('ustar\0', 257)
  block.write('00', 263)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\0 `, 148)
  return block
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
