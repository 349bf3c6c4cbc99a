import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { type TarEntry, tarOf } from '../tar.ts'
import { checkLayer } from './check-layer.ts'
import { ArchiveError, readTar } from './read-tar.ts'

/** Image archives of strangers (`docker save`, `podman save`, OCI layout): checked completely, then written anew for the engine. */

export interface ImageLimits {
  /** Bytes of all layers, unpacked. */
  unpackedBytes: number
}

const LAYERS_MAX = 128
const ENTRIES_MAX = 1_000_000
const DOCUMENT_MAX_BYTES = 4 * 1024 * 1024
/** Files of the outer archive. */
const FILES_MAX = 10_000
const VOLUMES_MAX = 16

/** The files of an outer archive, by path. */
type Files = ReadonlyMap<string, { offset: number; size: number }>

const strings = z.array(z.string().max(65_536)).max(1000)
const configDocument = z.object({
  architecture: z.string(),
  os: z.string(),
  rootfs: z.object({
    type: z.literal('layers'),
    diff_ids: z.array(z.string().regex(/^sha256:[a-f\d]{64}$/)).max(LAYERS_MAX),
  }),
  config: z
    .object({
      User: z.string().max(300).nullish(),
      Env: strings.nullish(),
      Entrypoint: strings.nullish(),
      Cmd: strings.nullish(),
      WorkingDir: z.string().max(4096).nullish(),
      StopSignal: z.string().max(50).nullish(),
      ExposedPorts: z.record(z.string().max(20), z.unknown()).nullish(),
      Volumes: z.record(z.string().max(4096), z.unknown()).nullish(),
    })
    .nullish(),
})
type ImageConfig = z.output<typeof configDocument>

const dockerManifest = z
  .array(z.object({ Config: z.string(), Layers: z.array(z.string()).max(LAYERS_MAX) }))
  .length(1, 'the archive must contain exactly one image')
const descriptor = z.object({
  digest: z.string().regex(/^sha256:[a-f\d]{64}$/),
  mediaType: z.string().default(''),
  size: z.number().optional(),
  platform: z.object({ architecture: z.string(), os: z.string() }).optional(),
})
const ociLayout = z.object({ imageLayoutVersion: z.string().regex(/^1\.\d+\.\d+$/) })
const ociIndex = z.object({ manifests: z.array(descriptor).max(100) })
const ociManifest = z.object({ config: descriptor, layers: z.array(descriptor).max(LAYERS_MAX) })

type Descriptor = z.output<typeof descriptor>

export interface CheckedImage {
  /** Unpacked bytes of its layers. */
  bytes: number
  /** The image as an archive that names it `name`, and nothing else. */
  stream(name: string): Readable
}

/**
 * Checks an image archive on disk. Reads it twice as a stream, so memory does not grow with it.
 * @param path an uncompressed tar file that nobody else can change
 * @throws ArchiveError for its owner
 */
export async function openImageArchive(path: string, limits: ImageLimits): Promise<CheckedImage> {
  const files = await indexOf(path)
  const { config, layers } = files.has('manifest.json')
    ? await readDockerArchive(path, files)
    : await readOciLayout(path, files)
  if (config.os !== 'linux' || config.architecture !== architecture())
    throw new ArchiveError('platform', `${config.os}/${config.architecture}`.slice(0, 100), `linux/${architecture()}`)
  if (Object.keys(config.config?.Volumes ?? {}).length > VOLUMES_MAX)
    throw new ArchiveError('volumes', String(VOLUMES_MAX))
  const { diff_ids } = config.rootfs
  if (layers.length === 0 || layers.length !== diff_ids.length) throw new ArchiveError('layers')
  const left = { entries: ENTRIES_MAX }
  const sizes: number[] = []
  let unpacked = 0
  for (const [index, layer] of layers.entries()) {
    const hash = createHash('sha256')
    let size = 0
    const counted = new Transform({
      transform(chunk: Buffer, _, done) {
        size += chunk.length
        unpacked += chunk.length
        if (unpacked > limits.unpackedBytes)
          return done(new ArchiveError('imageLarge', String(Math.floor(limits.unpackedBytes / 1024 ** 2))))
        hash.update(chunk)
        done(null, chunk)
      },
    })
    await checkLayer(pipeAll(await openLayer(path, layer), counted), left)
    if (`sha256:${hash.digest('hex')}` !== diff_ids[index]) throw new ArchiveError('layerHash')
    sizes.push(size)
  }
  return {
    bytes: unpacked,
    stream: (name) => tarOf(rewritten(path, { config, layers, sizes, name })),
  }
}

/** Only what programs need. Labels, health checks and build steps are dropped: labels could claim to be ours. */
async function* rewritten(
  path: string,
  {
    config,
    layers,
    sizes,
    name,
  }: { config: ImageConfig; layers: readonly Span[]; sizes: readonly number[]; name: string },
): AsyncGenerator<TarEntry> {
  const text = Buffer.from(
    JSON.stringify({ ...config, created: new Date(0).toISOString(), config: config.config ?? {} }),
  )
  const configName = `${createHash('sha256').update(text).digest('hex')}.json`
  yield { kind: 'file', path: configName, size: text.length, content: text }
  for (const [index, layer] of layers.entries())
    yield { kind: 'file', path: `${index}.tar`, size: sizes[index] as number, content: await openLayer(path, layer) }
  const manifest = Buffer.from(
    JSON.stringify([{ Config: configName, RepoTags: [name], Layers: layers.map((_, index) => `${index}.tar`) }]),
  )
  yield { kind: 'file', path: 'manifest.json', size: manifest.length, content: manifest }
}

const architecture = (): string => ({ x64: 'amd64', arm64: 'arm64' })[process.arch as string] ?? process.arch

interface Span {
  offset: number
  size: number
}

async function indexOf(path: string): Promise<Map<string, Span>> {
  const files = new Map<string, Span>()
  for await (const { path: name, type, offset, size } of readTar(createReadStream(path))) {
    if (type !== '0') continue
    const plain = name.replace(/^(\.\/)+/, '')
    // Two files of one name could be checked as one and loaded as the other.
    if (files.has(plain)) throw new ArchiveError('fileTwice')
    if (files.size >= FILES_MAX) throw new ArchiveError('archiveFiles')
    files.set(plain, { offset, size })
  }
  return files
}

async function readDockerArchive(path: string, files: Files) {
  const [image] = parse(dockerManifest, await readDocument(path, files, 'manifest.json'))
  const config = parse(configDocument, await readDocument(path, files, image?.Config ?? ''))
  return { config, layers: (image?.Layers ?? []).map((name) => requireFile(files, name)) }
}

async function readOciLayout(path: string, files: Files) {
  if (!files.has('index.json')) throw new ArchiveError('noImage')
  if (files.has('oci-layout')) parse(ociLayout, await readDocument(path, files, 'oci-layout'))
  let { manifests } = parse(ociIndex, await readDocument(path, files, 'index.json'))
  // An index may refer to an index of platforms.
  for (let depth = 0; depth < 3; depth++) {
    const fitting = manifests.filter(
      ({ platform }) => !platform || (platform.os === 'linux' && platform.architecture === architecture()),
    )
    const [only] = fitting
    if (!only || fitting.length > 1) throw new ArchiveError('oneImage', `linux/${architecture()}`)
    const document = await readBlob(path, files, only)
    if (/manifest\.list|image\.index/.test(only.mediaType)) {
      manifests = parse(ociIndex, document).manifests
      continue
    }
    const manifest = parse(ociManifest, document)
    const config = parse(configDocument, await readBlob(path, files, manifest.config))
    return { config, layers: manifest.layers.map((layer) => requireBlob(files, layer)) }
  }
  throw new ArchiveError('indexes')
}

const blobName = (digest: string): string => `blobs/${digest.replace(':', '/')}`

/** @throws ArchiveError if it is missing, or does not have the size that the document states */
function requireBlob(files: Files, { digest, size }: Descriptor): Span {
  const span = requireFile(files, blobName(digest))
  if (size !== undefined && size !== span.size) throw new ArchiveError('fileSize', blobName(digest).slice(0, 100))
  return span
}

async function readBlob(path: string, files: Files, wanted: Descriptor): Promise<Buffer> {
  const { digest } = wanted
  requireBlob(files, wanted)
  const content = await readDocument(path, files, blobName(digest))
  if (`sha256:${createHash('sha256').update(content).digest('hex')}` !== digest) throw new ArchiveError('documentHash')
  return content
}

function requireFile(files: Files, name: string): Span {
  const found = files.get(name.replace(/^(\.\/)+/, ''))
  if (!found) throw new ArchiveError('fileMissing', name.slice(0, 100))
  return found
}

async function readDocument(path: string, files: Files, name: string): Promise<Buffer> {
  const span = requireFile(files, name)
  if (span.size > DOCUMENT_MAX_BYTES) throw new ArchiveError('documentLarge', name.slice(0, 100))
  const parts: Buffer[] = []
  for await (const part of open(path, span)) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

function parse<T>(schema: z.ZodType<T>, document: Buffer): T {
  try {
    return schema.parse(JSON.parse(document.toString('utf8')))
  } catch {
    throw new ArchiveError('document')
  }
}

// An empty range cannot be asked for.
const open = (path: string, { offset, size }: Span): Readable =>
  size === 0 ? tarless() : createReadStream(path, { start: offset, end: offset + size - 1 })
const tarless = (): Readable => new Transform().end()

/** A layer as a plain tar archive. */
async function openLayer(path: string, span: Span): Promise<Readable> {
  const head = await readHead(path, span)
  if (head.readUInt32LE(0) === 0xfd2fb528) throw new ArchiveError('zstd')
  const source = open(path, span)
  return head.readUInt16BE(0) === 0x1f8b ? pipeAll(source, createGunzip()) : source
}

async function readHead(path: string, { offset, size }: Span): Promise<Buffer> {
  const parts: Buffer[] = [Buffer.alloc(0)]
  for await (const part of open(path, { offset, size: Math.min(size, 4) })) parts.push(part as Buffer)
  return Buffer.concat([...parts, Buffer.alloc(4)])
}

/** Errors of the source end the result, and the end of the result ends the source. */
export function pipeAll<T extends Transform>(source: Readable, target: T): T {
  source.once('error', (error) => target.destroy(error))
  target.once('close', () => source.destroy())
  // A damaged gzip stream is the owner's mistake.
  return source.pipe(target)
}
