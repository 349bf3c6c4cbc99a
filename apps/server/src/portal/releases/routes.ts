import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import { asRelease, createReleases, FOLDERS, type Folders, PROOFS } from './releases.ts'

const TYPES: Readonly<Record<string, string>> = { '.tgz': 'application/gzip', '.zip': 'application/zip' }

/** Serves the list of programs and the programs. Only file names in the list are served. */
export function serveReleases(serving: ServerServing, given: Partial<Folders> = {}): void {
  const { app } = serving
  const folders = { ...FOLDERS, ...given }
  const { executables } = folders
  const releases = createReleases(folders)
  serveModule(serving, 'releases', {
    list: (_, { lang }) => ({ list: releases().map((release) => asRelease(release, lang)) }),
  })
  app.get<{ Params: { file: string } }>('/downloads/:file', (request, reply) => {
    const { file: asked } = request.params
    if (PROOFS.includes(asked) && existsSync(join(executables, asked)))
      return reply
        .type('application/octet-stream')
        .header('cache-control', 'no-cache')
        .send(readFileSync(join(executables, asked)))
    // A name without version is the latest release, so that documented commands stay valid.
    const found = releases().find(({ file, version }) => file === asked || file.replace(`-${version}`, '') === asked)
    if (!found) return reply.callNotFound()
    const etag = `"${found.sha256}"`
    reply
      .type(TYPES[extname(found.file)] ?? 'application/octet-stream')
      .header('content-disposition', `attachment; filename="${found.file}"`)
      .header('etag', etag)
      .header('cache-control', 'no-cache')
      // RFC 9530
      .header('repr-digest', `sha-256=:${Buffer.from(found.sha256, 'hex').toString('base64')}:`)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.header('content-length', found.size).send(createReadStream(join(found.folder, found.file)))
  })
}
