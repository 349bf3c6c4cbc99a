import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import { asRelease, PACKED, readReleases } from './releases.ts'

/** Serves the list of programs and the programs themselves; names are those of the list, so nothing else can be asked for. */
export function serveReleases(serving: ServerServing, folder = PACKED): void {
  const { app } = serving
  // Packed anew while the server runs: the list and the files are read as they are now.
  serveModule(serving, 'releases', {
    list: (_, { lang }) => ({ list: readReleases(folder).map((release) => asRelease(release, lang)) }),
  })
  app.get<{ Params: { file: string } }>('/downloads/:file', (request, reply) => {
    const { file: asked } = request.params
    // Without a version: the latest, so that a command that was written down stays right.
    const found = readReleases(folder).find(
      ({ file, version }) => file === asked || file.replace(`-${version}`, '') === asked,
    )
    if (!found) return reply.callNotFound()
    const etag = `"${found.sha256}"`
    reply
      .type('application/gzip')
      .header('content-disposition', `attachment; filename="${found.file}"`)
      .header('etag', etag)
      .header('cache-control', 'no-cache')
      // Checked as well by whoever downloads by script: RFC 9530.
      .header('repr-digest', `sha-256=:${Buffer.from(found.sha256, 'hex').toString('base64')}:`)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.header('content-length', found.size).send(createReadStream(join(folder, found.file)))
  })
}
