import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chooseUpdate, openManifest, type Update } from './choose-update.ts'
import { fetchManifest, fetchProgram } from './fetch-release.ts'
import { factsOf, makeKey, NODE_ID, startPortal } from './sample-release.fixture.ts'

const key = makeKey()
const { signal } = new AbortController()
let portal: Awaited<ReturnType<typeof startPortal>>
let folder: string
let update: Update
let bytes: Buffer

beforeEach(async () => {
  portal = await startPortal()
  folder = await mkdtemp(join(tmpdir(), 'updates-'))
  bytes = portal.offer(factsOf(2, '1.1.0'), key)
  const { text, signature } = (await fetchManifest(portal.url, signal)) ?? { text: Buffer.of(), signature: '' }
  const manifest = openManifest(text, signature, [key.text])
  update = chooseUpdate(manifest, { release: factsOf(1), seen: 0, nodeId: NODE_ID, now: 3 }) as Update
})
afterEach(async () => {
  await portal.stop()
  await rm(folder, { recursive: true })
})

const path = () => join(folder, 'next')
const take = (change: Partial<Update> = {}, to = path()) =>
  fetchProgram(portal.url, { ...update, ...change }, to, signal)
const programs = () => portal.asked.filter((name) => !name.startsWith('manifest')).length

describe('the file of an update', () => {
  it('is the signed one, and only its owner can run it', async () => {
    await take()
    expect((await readFile(path())).equals(bytes)).toBe(true)
    expect((await stat(path())).mode & 0o777).toBe(0o700)
  })

  it('is fetched again only if it is not there, whole', async () => {
    await writeFile(path(), bytes.subarray(0, 100))
    await take()
    expect((await readFile(path())).equals(bytes)).toBe(true)
    await take()
    expect(programs()).toBe(1)
  })
})

it('is no update if the portal offers no signed release', async () => {
  portal.files.delete('manifest.sig')
  expect(await fetchManifest(portal.url, signal)).toBeUndefined()
})

describe('refused, with nothing left of it, is', () => {
  it.each<[string, typeof portal.send]>([
    ['a file that ends early', (response, all) => response.end(all.subarray(0, 50))],
    [
      'a connection that breaks',
      (response, all) => {
        response.writeHead(200, { 'content-length': all.length })
        response.write(all.subarray(0, 50), () => response.destroy())
      },
    ],
    ['a longer file', (response, all) => response.end(Buffer.concat([all, all]))],
    [
      'a file without end',
      (response, all) => {
        const more = () => response.write(all, (error) => error || more())
        more()
      },
    ],
    ['another file of the same size', (response, all) => response.end(Buffer.alloc(all.length))],
    ['no file', (response) => response.writeHead(404).end()],
    ['a file from elsewhere', (response) => response.writeHead(302, { location: '/downloads/manifest.json' }).end()],
  ])('%s', async (_, send) => {
    portal.send = send
    await expect(take()).rejects.toMatchObject({ problem: 'download' })
    expect(await readdir(folder)).toEqual([])
  })

  it('a file for which the disk has no space', async () => {
    await expect(take({ size: 2 ** 52 })).rejects.toMatchObject({ problem: 'space' })
    expect(await readdir(folder)).toEqual([])
    expect(programs()).toBe(0)
  })

  it('an endless manifest', async () => {
    portal.files.set('manifest.json', Buffer.alloc(2 ** 20))
    await expect(fetchManifest(portal.url, signal)).rejects.toThrow(/too long/)
  })
})
