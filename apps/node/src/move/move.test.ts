import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { folderOf, leafOf } from '../contents/content-record.ts'
import { writeLimits } from '../limits/limits.ts'
import { askState } from '../local/client.ts'
import { createTestEnv, randomFile, type TestEnv, upload, uploadArchive } from '../test-env.fixture.ts'
import { makeFolder } from '../test-folder.fixture.ts'
import { requireMoved } from './marks.ts'
import { type MoveParts, moveNode } from './move.ts'

let env: TestEnv
let from: string
let to: string
let node: StorageNode
let cids: string[]
beforeEach(async () => {
  env = await createTestEnv()
  from = await env.folder()
  to = join(await env.folder(), 'disk')
  node = await env.start({ data: from, page: 0 })
  const file = await randomFile(600_000)
  const small = await randomFile(1000)
  const folder = await makeFolder({ a: { 'b.txt': new Uint8Array(300_000).fill(7) }, 'c.txt': new Uint8Array([1]) })
  await upload(env, node, file.bytes)
  await upload(env, node, small.bytes)
  await uploadArchive(env, node, folder, { as: 'form' })
  cids = [file.cid, small.cid, folder.cid]
  await writeLimits(from, { space: 1e9, rates: [], paused: false })
})
afterEach(() => env.stop())

const SERVICE = { scope: 'user', account: null } as const
/** A machine whose service runs the node of the test. */
const parts = (more: Partial<MoveParts> = {}): MoveParts => ({
  service: SERVICE,
  stopService: () => void node.stop(),
  async switchService(folder) {
    await node.stop().catch(() => {})
    node = await env.start({ data: folder, page: 0 })
    await env.server.until(() => node.registered)
  },
  serves: async (folder) => (await askState(folder))?.registered === true,
  report: () => {},
  signal: new AbortController().signal,
  ...more,
})
const held = async (cid: string) => {
  const token = await env.server.downloadToken(node.id, cid)
  return (await fetch(`${node.url}/ipfs/${cid}?token=${token}`)).status
}
const hasContent = (folder: string, cid: string) =>
  [folderOf(cid), leafOf({ cid, size: 1000 })].some((path) => existsSync(join(folder, path)))
const works = (folder: string) =>
  requireMoved(folder).then(
    () => existsSync(join(folder, 'node.key')),
    () => false,
  )

describe('a node that moves', () => {
  it('serves the same contents as the same node, with its limits, and leaves nothing behind', async () => {
    const { id } = node
    expect(await moveNode(from, to, parts())).toBe('moved')
    expect(node.id).toBe(id)
    for (const cid of cids) expect(await held(cid)).toBe(200)
    expect(JSON.parse(await readFile(join(to, 'limits.json'), 'utf8'))).toMatchObject({ space: 1e9 })
    expect(existsSync(from)).toBe(false)
  })

  it('is copied while it runs, and what it stores or deletes meanwhile moves, too', async () => {
    const late = await randomFile(2000)
    let isLate = false
    await moveNode(
      from,
      to,
      parts({
        report: ({ what }) => {
          if (what === 'stopping') isLate = true
        },
        stopService: () => {
          void upload(env, node, late.bytes).then(() => node.stop())
        },
      }),
    )
    expect(isLate).toBe(true)
    expect(await held(late.cid)).toBe(200)
  })

  it('without a service is started by its owner; only then the old folder goes', async () => {
    await node.stop()
    const alone = parts({ service: null, times: { stop: 2000, serve: 0 } })
    expect(await moveNode(from, to, alone)).toBe('start')
    expect(existsSync(join(from, 'node.key'))).toBe(true)
    node = await env.start({ data: to, page: 0 })
    await env.server.until(() => node.registered)
    expect(await moveNode(from, to, alone)).toBe('moved')
    expect(existsSync(from)).toBe(false)
  })

  it('leaves damaged contents out, and says how many: other nodes have them', async () => {
    const [file = '', small = ''] = cids
    await appendFile(join(from, folderOf(file), 'data'), 'x')
    await writeFile(join(from, leafOf({ cid: small, size: 1000 })), Buffer.alloc(1000))
    const damaged: number[] = []
    await moveNode(from, to, parts({ report: (each) => void (each.what === 'damaged' && damaged.push(each.contents)) }))
    expect(damaged).toEqual([1])
    expect(await held(cids[1] ?? '')).toBe(404)
    expect(await held(cids[2] ?? '')).toBe(200)
  })
})

describe('a move that is killed', () => {
  const DIST = join(import.meta.dirname, '../../dist/move/move.js')
  /** Moves in a process of its own, which ends at a step like a machine without power. */
  async function killAt(step: string) {
    const script = `
      const { moveNode } = await import(${JSON.stringify(DIST)})
      const die = () => process.kill(process.pid, 'SIGKILL')
      const step = ${JSON.stringify(step)}
      await moveNode(${JSON.stringify(from)}, ${JSON.stringify(to)}, {
        service: ${JSON.stringify(SERVICE)}, stopService() {}, async serves() { if (step === 'serving') die(); return true },
        async switchService() { if (step === 'switching') die() },
        report({ what }) { if (what === step) die() }, signal: new AbortController().signal })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      stdio: 'ignore',
    })
    expect(((await once(child, 'exit')) as [number | null, string])[1]).toBe('SIGKILL')
  }

  it.each(['copying', 'stopping', 'switching', 'switched', 'serving', 'removing'])(
    'while it is %s has exactly one folder that works, and continues',
    async (step) => {
      const { id } = node
      await node.stop()
      await killAt(step)
      expect([await works(from), await works(to)].filter(Boolean)).toHaveLength(1)
      expect(await moveNode(from, to, parts())).toBe('moved')
      expect(node.id).toBe(id)
      for (const cid of cids) expect(await held(cid)).toBe(200)
      expect(existsSync(from)).toBe(false)
    },
  )

  it('while the old folder is being removed is not taken for a node there', async () => {
    await node.stop()
    await killAt('removing')
    await rm(join(from, 'node.key'))
    await expect(env.start({ data: from })).rejects.toThrow(/moved to/)
    expect(await moveNode(from, to, parts())).toBe('moved')
  })

  it('with half a content in the new folder copies it again', async () => {
    const [file = ''] = cids
    await node.stop()
    await killAt('copying')
    await mkdir(join(to, 'incoming', 'move'), { recursive: true })
    await writeFile(join(to, 'incoming', 'move', 'data'), 'half')
    await moveNode(from, to, parts())
    expect(hasContent(to, file)).toBe(true)
    expect(await held(file)).toBe(200)
  })
})

describe('refused are', () => {
  it('a start in the new folder before all is there, and in the old one afterwards', async () => {
    await node.stop()
    const stopped = new AbortController()
    await moveNode(
      from,
      to,
      parts({ report: () => stopped.abort(new Error('stopped')), signal: stopped.signal }),
    ).catch(() => {})
    await expect(env.start({ data: to })).rejects.toThrow(/still moving/)
    await moveNode(from, to, parts({ service: null }))
    await expect(env.start({ data: from })).rejects.toThrow(/moved to/)
  })

  it('a folder that is used, inside the other, or of another move', async () => {
    await mkdir(to)
    await writeFile(join(to, 'photo.jpg'), 'mine')
    await expect(moveNode(from, to, parts())).rejects.toThrow(/not empty/)
    expect(await readdir(to)).toEqual(['photo.jpg'])
    await expect(moveNode(from, join(from, 'new'), parts())).rejects.toThrow(/apart/)
    await expect(moveNode(from, from, parts())).rejects.toThrow(/apart/)
    await rm(to, { recursive: true })
    await node.stop()
    await moveNode(from, to, parts({ service: null, times: { stop: 1000, serve: 0 } }))
    await expect(moveNode(from, `${to}2`, parts())).rejects.toThrow(/already moved/)
    const other = await env.folder()
    await expect(moveNode(other, to, parts())).rejects.toThrow(/not empty/)
  })

  it.runIf(process.platform === 'linux')('a node that does not stop: it stays where it is', async () => {
    const stubborn = parts({ service: null, times: { stop: 300, serve: 0 } })
    await expect(moveNode(from, to, stubborn)).rejects.toThrow(/still runs/)
    expect([await works(from), await works(to)]).toEqual([true, false])
    for (const cid of cids) expect(await held(cid)).toBe(200)
  })
})
