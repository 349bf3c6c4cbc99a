import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { openArchive } from './open-archive.ts'
import { ArchiveError, readTar } from './read-tar.ts'
import { bytesOf, dockerArchive, END, file, ociArchive, rawEntry, tar } from './sample-archives.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidenet-archives-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MB = 1024 ** 2
async function* chunks(bytes: Buffer, size = 1000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}
const open = (bytes: Buffer, maxBytes = 8 * MB) => openArchive(folder, chunks(bytes), maxBytes)
/** The archive that the engine gets. */
async function rewritten(bytes: Buffer) {
  const archive = await open(bytes)
  const out = await bytesOf(archive.stream('localhost/mine:1'))
  await archive.close()
  const entries = new Map<string, Buffer>()
  for await (const { path, offset, size } of readTar(chunks(out)))
    entries.set(path, out.subarray(offset, offset + size))
  const [manifest] = JSON.parse(entries.get('manifest.json')?.toString() ?? '')
  return { bytes: archive.bytes, entries, manifest, config: JSON.parse(entries.get(manifest.Config)?.toString() ?? '') }
}
const text = (content: string) => ({ content: Buffer.from(content) })
const pax = (key: string, value: string) => {
  const record = ` ${key}=${value}\n`
  const length = record.length < 9 ? record.length + 1 : record.length + 2
  return rawEntry('pax', 'x', text(`${length}${record}`))
}
const layerOf = (...entries: Buffer[]) => Buffer.concat([...entries, END])
const layer = await tar([file('bin/tool', 'hello', 0o755), file('etc/.wh.old', '')])

describe('an image archive', () => {
  it.each([
    ['of docker save', dockerArchive({ layers: [layer, layer] })],
    ['of docker save with compressed layers', dockerArchive({ layers: [layer, layer], gzip: true })],
    ['as an OCI layout', ociArchive({ layers: [layer, layer] })],
    ['as an OCI layout with compressed layers', ociArchive({ layers: [layer, layer], gzip: true })],
    ['compressed as a whole', dockerArchive({ layers: [layer, layer] }).then((bytes) => gzipSync(bytes))],
  ])('%s reaches the engine with plain layers, under one name', async (_, bytes) => {
    const { manifest, entries, bytes: size } = await rewritten(await bytes)
    expect(manifest.RepoTags).toEqual(['localhost/mine:1'])
    expect(manifest.Layers.map((name: string) => entries.get(name)?.equals(layer))).toEqual([true, true])
    expect(size).toBe(2 * layer.length)
  })

  it('keeps command, variables and volumes, and loses labels, which could claim to be ours', async () => {
    const config = {
      Cmd: ['/bin/tool'],
      Env: ['A=1'],
      Volumes: { '/var/lib/data': {} },
      Labels: { 'tidenet.source': 'x' },
      OnBuild: ['RUN x'],
    }
    const { config: kept } = await rewritten(await dockerArchive({ layers: [layer], config }))
    expect(kept.config).toEqual({ Cmd: ['/bin/tool'], Env: ['A=1'], Volumes: { '/var/lib/data': {} } })
  })

  it('leaves nothing on the disk, whether it is accepted or refused', async () => {
    await rewritten(await dockerArchive({ layers: [layer] }))
    await expect(open(Buffer.from('nothing'))).rejects.toThrow(ArchiveError)
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves the copies of others alone, but not those of a server that was killed long ago', async () => {
    const day = 24 * 3600
    for (const [name, age] of [
      ['image-killed', day],
      ['image-busy', 60],
    ] as const) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'image.tar'), 'part')
      const at = Date.now() / 1000 - age
      utimesSync(join(folder, name), at, at)
    }
    const archive = await open(await dockerArchive({ layers: [layer] }))
    await archive.close()
    expect(readdirSync(folder)).toEqual(['image-busy'])
    rmSync(join(folder, 'image-busy'), { recursive: true })
  })
})

describe('an image archive is refused', () => {
  it.each([
    ['a path above the root', layerOf(rawEntry('../etc/passwd', '0'))],
    ['a path above the root, inside', layerOf(rawEntry('a/../../etc/passwd', '0'))],
    ['an absolute path', layerOf(rawEntry('/etc/passwd', '0'))],
    ['a hard link to the outside', layerOf(rawEntry('a', '1', { target: '../../etc/shadow' }))],
    ['a file below its own symbolic link', layerOf(rawEntry('a', '2', { target: '/etc' }), rawEntry('a/passwd', '0'))],
    ['a device', layerOf(rawEntry('disk', '4'))],
    ['a whiteout of the parent', layerOf(rawEntry('a/.wh...', '0'))],
    ['a whiteout of everything', layerOf(rawEntry('.wh.', '0'))],
    ['a whiteout of whiteouts', layerOf(rawEntry('.wh..wh.plnk', '0'))],
    ['a sparse file', layerOf(rawEntry('a', 'S'))],
    ['two names of one entry', layerOf(pax('path', 'one'), rawEntry('@', 'L', text('other')), rawEntry('a', '0'))],
    ['an empty name instead of one above the root', layerOf(pax('path', ''), rawEntry('../etc', '5'))],
    [
      'an empty target instead of one outside',
      layerOf(pax('linkpath', ''), rawEntry('a', '1', { target: '../../etc' })),
    ],
    [
      'entries hidden in the content of a folder',
      layerOf(rawEntry('a/', '0', { content: Buffer.from(rawEntry('disk', '4')) })),
    ],
    ['no end', rawEntry('a', '0')],
    ['a size beyond its end', layerOf(rawEntry('a', '0', { content: Buffer.from('x') })).subarray(0, 700)],
    ['no tar at all', Buffer.alloc(2048, 7)],
  ])('with %s in a layer', async (_, hostile) => {
    await expect(open(await dockerArchive({ layers: [layer, hostile] }))).rejects.toThrow(ArchiveError)
    await expect(open(await ociArchive({ layers: [hostile], gzip: true }))).rejects.toThrow(ArchiveError)
  })

  it('if a layer is larger than allowed when unpacked, after reading little more than that', async () => {
    const huge = await tar([file('zeros', Buffer.alloc(32 * MB))])
    for (const archive of [dockerArchive, ociArchive])
      await expect(open(await archive({ layers: [huge], gzip: true }), 4 * MB)).rejects.toThrow(ArchiveError)
    const whole = gzipSync(await dockerArchive({ layers: [huge] }))
    expect(whole.length).toBeLessThan(MB)
    await expect(open(whole, 4 * MB)).rejects.toThrow(ArchiveError)
  })

  it.each([
    ['a layer is not the one that it lists', dockerArchive({ layers: [layer], diffIds: [`sha256:${'0'.repeat(64)}`] })],
    ['it lacks a layer', dockerArchive({ layers: [], diffIds: [`sha256:${'0'.repeat(64)}`] })],
    ['it has no layers', dockerArchive({ layers: [] })],
    ['it is for another machine', dockerArchive({ layers: [layer], architecture: 's390x' })],
    ['it contains a file twice', dockerArchive({ layers: [layer] }, [file('./config.json', '{}')])],
    [
      'its layers are compressed with zstd',
      dockerArchive({ layers: [Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), Buffer.alloc(100)])] }),
    ],
    ['its manifest is no JSON', tar([file('manifest.json', '[')])],
    ['it contains two images', tar([file('manifest.json', '[{"Config":"a","Layers":[]},{"Config":"a","Layers":[]}]')])],
    ['it is no image', tar([file('readme', 'text')])],
    ['it is cut off', dockerArchive({ layers: [layer] }).then((bytes) => bytes.subarray(0, 3000))],
    [
      'its compression is damaged',
      dockerArchive({ layers: [layer] }).then((bytes) => gzipSync(bytes).fill(9, 100, 200)),
    ],
  ])('if %s', async (_, bytes) => {
    await expect(open(await bytes)).rejects.toThrow(ArchiveError)
  })

  it('with the error of its source, if the source fails', async () => {
    const bytes = await dockerArchive({ layers: [layer] })
    async function* failing() {
      yield bytes
      throw new Error('not verified')
    }
    await expect(openArchive(folder, failing(), MB)).rejects.toThrow('not verified')
    expect(readdirSync(folder)).toEqual([])
  })
})
