import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type TarEntry, tarOf } from '../tar.ts'

/** For tests: image archives, also hostile ones. */

export async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

export const tar = (entries: readonly TarEntry[]): Promise<Buffer> => bytesOf(tarOf(entries))
export const file = (path: string, content: string | Buffer, mode = 0o644): TarEntry => ({
  kind: 'file',
  path,
  mode,
  size: Buffer.byteLength(content),
  content: Buffer.from(content),
})

/** One entry of any kind, with any name; the block's checksum is right. */
export function rawEntry(path: string, type: string, { target = '', content = Buffer.alloc(0) } = {}): Buffer {
  const block = Buffer.alloc(512)
  block.write(path, 0, 100)
  block.write('0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(content.length.toString(8).padStart(11, '0'), 124)
  block.write('00000000000', 136)
  block.write('        ', 148)
  block.write(type, 156)
  block.write(target, 157, 100)
  block.write('ustar\0', 257)
  block.write('00', 263)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([block, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}
export const END = Buffer.alloc(1024)

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch as string] ?? process.arch

export interface SampleImage {
  layers: readonly Buffer[]
  config?: Record<string, unknown>
  gzip?: boolean
  /** Hashes that the image lists, if not those of its layers. */
  diffIds?: readonly string[]
  architecture?: string
}

function parts(image: SampleImage) {
  const stored = image.layers.map((layer) => (image.gzip ? gzipSync(layer) : layer))
  const config = Buffer.from(
    JSON.stringify({
      architecture: image.architecture ?? architecture,
      os: 'linux',
      rootfs: { type: 'layers', diff_ids: image.diffIds ?? image.layers.map((layer) => `sha256:${sha256(layer)}`) },
      config: image.config ?? {},
    }),
  )
  return { stored, config }
}

/** As `docker save` writes it. */
export function dockerArchive(image: SampleImage, more: readonly TarEntry[] = []): Promise<Buffer> {
  const { stored, config } = parts(image)
  const names = stored.map((_, index) => `layer-${index}/layer.tar`)
  const manifest = [{ Config: 'config.json', RepoTags: ['docker.io/library/nginx:latest'], Layers: names }]
  return tar([
    file('config.json', config),
    ...stored.map((layer, index) => file(names[index] as string, layer)),
    file('manifest.json', JSON.stringify(manifest)),
    ...more,
  ])
}

/** The files of an OCI layout, by path. */
export function layoutFiles(image: SampleImage): Map<string, Buffer> {
  const { stored, config } = parts(image)
  const refer = (bytes: Buffer, mediaType: string) => ({
    mediaType,
    digest: `sha256:${sha256(bytes)}`,
    size: bytes.length,
  })
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      config: refer(config, 'application/vnd.oci.image.config.v1+json'),
      layers: stored.map((layer) => refer(layer, 'application/vnd.oci.image.layer.v1.tar')),
    }),
  )
  const index = { schemaVersion: 2, manifests: [refer(manifest, 'application/vnd.oci.image.manifest.v1+json')] }
  return new Map([
    ['oci-layout', Buffer.from('{"imageLayoutVersion":"1.0.0"}')],
    ['index.json', Buffer.from(JSON.stringify(index))],
    // Equal layers are one file.
    ...[manifest, config, ...stored].map((bytes) => [`blobs/sha256/${sha256(bytes)}`, bytes] as const),
  ])
}

/** An OCI layout in a tar file. */
export const ociArchive = (image: SampleImage): Promise<Buffer> =>
  tar([...layoutFiles(image)].map(([path, bytes]) => file(path, bytes)))
