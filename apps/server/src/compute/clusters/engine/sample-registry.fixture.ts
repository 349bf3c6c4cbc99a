import { createHash } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** For tests: a registry over HTTPS on this machine with one image, `private/tool`, and a user name and password. @param address where it listens */
export async function sampleRegistry(
  tls: { key: string; cert: string },
  { username, password }: { username: string; password: string },
  address = '127.0.0.1',
) {
  const documents = new Map<string, { type: string; bytes: Buffer }>()
  const asked: { path: string; allowed: boolean }[] = []
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const server = createServer(tls, ({ url = '', headers, method }, answer) => {
    const allowed = headers.authorization === expected
    asked.push({ path: url, allowed })
    if (!allowed) {
      answer.writeHead(401, { 'www-authenticate': 'Basic realm="tests"', 'content-type': 'application/json' })
      return void answer.end('{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}')
    }
    const isKnown = url.startsWith('/v2/private/tool/')
    const name = url.replace(/^\/v2\/[\w/-]+?\/(manifests|blobs)\//, '')
    const document = isKnown ? documents.get(name) : undefined
    const found = url === '/v2/' ? { type: 'application/json', bytes: Buffer.from('{}') } : document
    if (!found) {
      const [code, message] = isKnown
        ? ['MANIFEST_UNKNOWN', 'manifest unknown']
        : ['NAME_UNKNOWN', 'repository name not known to registry']
      answer.writeHead(404, { 'content-type': 'application/json' })
      return void answer.end(JSON.stringify({ errors: [{ code, message }] }))
    }
    answer.writeHead(200, {
      'content-type': found.type,
      'content-length': found.bytes.length,
      'docker-content-digest': digestOf(found.bytes),
    })
    answer.end(method === 'HEAD' ? undefined : found.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  return {
    host: `${address === '127.0.0.1' ? 'localhost' : address}:${(server.address() as AddressInfo).port}`,
    asked,
    /** Puts an image of one layer at a tag. */
    put(tag: string, layer: Buffer, config: Record<string, unknown>) {
      const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch as string] ?? process.arch
      const document = Buffer.from(
        JSON.stringify({ architecture, os: 'linux', config, rootfs: { type: 'layers', diff_ids: [digestOf(layer)] } }),
      )
      const put = (bytes: Buffer, type: string) => {
        documents.set(digestOf(bytes), { type, bytes })
        return { mediaType: type, digest: digestOf(bytes), size: bytes.length }
      }
      const manifest = Buffer.from(
        JSON.stringify({
          schemaVersion: 2,
          mediaType: MANIFEST,
          config: put(document, 'application/vnd.oci.image.config.v1+json'),
          layers: [put(layer, 'application/vnd.oci.image.layer.v1.tar')],
        }),
      )
      put(manifest, MANIFEST)
      documents.set(tag, { type: MANIFEST, bytes: manifest })
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
