import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Release } from '@tidenet/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticateFor } from '../../app.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { serveReleases } from './routes.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidenet-releases-'))
const bytes = Buffer.from('a program')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const file = 'tidenet-cli-1.2.3.tgz'
const entry = {
  kind: 'cli',
  version: '1.2.3',
  platform: 'any',
  needs: 'Node.js 20.19',
  file,
  size: bytes.length,
  sha256,
  date: '2026-01-02T03:04:05.000Z',
  notes: { en: 'The first one.', cn: '首个版本。' },
}

const single = join(folder, 'executables')
const executable = (platform: string, trial: string) => ({
  ...{ file: `tidenet-node-${platform}`, program: 'tidenet-node', platform, trial, size: bytes.length, sha256 },
})
const manifest = {
  ...{ format: 1, version: '1.2.3', time: 0, percent: 100 },
  files: [executable('linux-x64', 'native'), executable('macos-x64', 'file'), executable('linux-arm64', 'emulated')],
}

let env: TestEnv
let app: FastifyInstance
const authorize: ServerServing['authorize'] = async (_, __, input) => input

beforeAll(async () => {
  writeFileSync(join(folder, file), bytes)
  writeFileSync(join(folder, 'releases.json'), JSON.stringify([entry, { ...entry, file: 'tidenet-node-1.2.3.tgz' }]))
  mkdirSync(single)
  writeFileSync(join(single, 'tidenet-node-linux-x64'), bytes)
  writeFileSync(join(single, 'tidenet-node-macos-x64'), bytes)
  writeFileSync(join(single, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(single, 'manifest.sig'), 'the signature')
  writeFileSync(join(single, 'release.key'), 'private')
  env = await setup()
  app = Fastify()
  serveReleases(
    { app, authenticate: authenticateFor(env.context), authorize, served: new Set() },
    { packed: folder, executables: single, extension: folder },
  )
})
afterAll(async () => {
  await app.close()
  await env.close()
  rmSync(folder, { recursive: true })
})

const list = async (lang: string): Promise<Release[]> =>
  (await app.inject({ url: '/api/v1/portal/releases', headers: { lang } })).json().data.list

describe('programs', () => {
  it('are listed with their description and checksum', async () => {
    expect((await list('en'))[0]).toEqual({
      ...entry,
      tested: true,
      url: `/downloads/${file}`,
      notes: 'The first one.',
    })
    expect((await list('cn'))[0]?.notes).toBe('首个版本。')
  })

  it('are sent unchanged with their file name', async () => {
    const answer = await app.inject(`/downloads/${file}`)
    expect(createHash('sha256').update(answer.rawPayload).digest('hex')).toBe(sha256)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="${file}"`,
    })
    expect((await app.inject('/downloads/tidenet-cli.tgz')).rawPayload.equals(bytes)).toBe(true)
    const again = await app.inject({
      url: `/downloads/${file}`,
      headers: { 'if-none-match': String(answer.headers.etag) },
    })
    expect(again.statusCode).toBe(304)
    expect((await app.inject({ method: 'HEAD', url: `/downloads/${file}` })).headers['content-length']).toBe('9')
  })
})

describe('single executables', () => {
  it('are listed after the archives, with whether tests ran them, if their file is there', async () => {
    const shown = (await list('en'))
      .slice(1)
      .map(({ kind, platform, tested, url }) => ({ kind, platform, tested, url }))
    expect(shown).toEqual([
      { kind: 'node', platform: 'linux-x64', tested: true, url: '/downloads/tidenet-node-linux-x64' },
      { kind: 'node', platform: 'macos-x64', tested: false, url: '/downloads/tidenet-node-macos-x64' },
    ])
  })

  it('are sent unchanged, with the files that prove where they are from', async () => {
    const answer = await app.inject('/downloads/tidenet-node-linux-x64')
    expect(answer.rawPayload.equals(bytes)).toBe(true)
    expect(answer.headers['content-type']).toBe('application/octet-stream')
    expect((await app.inject('/downloads/manifest.json')).json()).toEqual(manifest)
    expect((await app.inject('/downloads/manifest.sig')).body).toBe('the signature')
  })
})

it('lists what is packed while the server runs', async () => {
  const before = await list('en')
  const path = join(folder, 'releases.json')
  const packed = readFileSync(path, 'utf8')
  writeFileSync(path, JSON.stringify([{ ...entry, version: '1.2.4' }]))
  expect((await list('en'))[0]).toMatchObject({ version: '1.2.4' })
  writeFileSync(path, packed)
  expect(await list('en')).toEqual(before)
})

it('lists nothing if nothing was packed', async () => {
  const empty = Fastify()
  serveReleases(
    { app: empty, authenticate: authenticateFor(env.context), authorize, served: new Set() },
    { packed: join(folder, 'none'), executables: join(folder, 'none'), extension: join(folder, 'none') },
  )
  expect((await empty.inject('/api/v1/portal/releases')).json()).toEqual({ code: 0, data: { list: [] } })
  await empty.close()
})

describe('refused are', () => {
  it.each([
    'releases.json',
    'tidenet-node-1.2.3.tgz',
    'tidenet-cli-1.2.4.tgz',
    'tidenet-node.tgz',
    'release.key',
    'SHA256SUMS',
    '..%2f..%2fmain.js',
    '%00',
  ])('the file %s', async (name) => {
    expect((await app.inject(`/downloads/${name}`)).statusCode).toBe(404)
  })
})
