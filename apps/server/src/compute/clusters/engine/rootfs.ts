import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { type TarEntry, tarOf } from '../tar.ts'

/**
 * A minimal Linux from this machine's busybox, for machines that cannot reach a registry. Undefined if busybox is missing or dynamically
 * linked.
 */
export function busyboxRootfs(path = '/bin/busybox'): Readable | undefined {
  const program = readStatic(path)
  if (!program) return undefined
  const listed = spawnSync(path, ['--list'], { encoding: 'utf8', timeout: 5000 })
  if (listed.status !== 0) return undefined
  const folders = ['bin', 'data', 'dev', 'etc', 'home', 'proc', 'root', 'run', 'sys', 'tmp', 'usr', 'usr/bin', 'var']
  const entries: TarEntry[] = [
    ...folders.map((folder): TarEntry => ({ kind: 'folder', path: folder, ...(folder === 'tmp' && { mode: 0o1777 }) })),
    { kind: 'file', path: 'bin/busybox', mode: 0o755, size: program.length, content: program },
    // The list contains busybox itself, and a link of that name would replace it.
    ...listed.stdout
      .split('\n')
      .filter((name) => /^[\w.[-]+$/.test(name) && name !== 'busybox')
      .map((name): TarEntry => ({ kind: 'link', path: `bin/${name}`, target: 'busybox' })),
    text('etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n'),
    text('etc/group', 'root:x:0:\nnogroup:x:65534:\n'),
    text('etc/profile', "export PATH=/bin:/usr/bin\nexport PS1='\\u@\\h:\\w\\$ '\n"),
  ]
  return tarOf(entries)
}

const text = (path: string, content: string): TarEntry => ({
  kind: 'file',
  path,
  size: Buffer.byteLength(content),
  content: Buffer.from(content),
})

/** A 64-bit ELF program without an interpreter segment. */
function readStatic(path: string): Buffer | undefined {
  let file: Buffer
  try {
    file = readFileSync(path)
  } catch {
    return undefined
  }
  if (file.length < 64 || file.readUInt32BE(0) !== 0x7f454c46 || file[4] !== 2) return undefined
  const offset = Number(file.readBigUInt64LE(32))
  const size = file.readUInt16LE(54)
  const count = file.readUInt16LE(56)
  const INTERPRETER = 3
  for (let index = 0; index < count; index++)
    if (file.readUInt32LE(offset + index * size) === INTERPRETER) return undefined
  return file
}
