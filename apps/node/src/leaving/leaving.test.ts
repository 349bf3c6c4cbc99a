import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readLimits, writeLimits } from '../limits/limits.ts'
import { createTestEnv, randomFile, type TestEnv, upload } from '../test-env.fixture.ts'
import { runLeave } from './command.ts'
import { noteLeaving, readLeaving } from './leaving.ts'

let env: TestEnv
let data: string
beforeEach(async () => {
  env = await createTestEnv()
  data = await env.folder()
})
afterEach(() => env.stop())

/** Runs the command until `end` is in what it printed. */
async function leave(argv: string[], end?: RegExp, more: { now?: () => number; lang?: string } = {}) {
  const printed: string[] = []
  const ended = new AbortController()
  await runLeave(['--data', data, ...argv], {
    env: { TIDENET_LANG: more.lang ?? 'en' },
    installed: undefined,
    print: (line) => {
      printed.push(line)
      if (end?.test(line)) ended.abort()
    },
    signal: ended.signal,
    ...(more.now && { now: more.now }),
  })
  return printed.join('\n')
}
const says = (leaving: boolean) => env.server.until(() => env.server.of('heartbeat').at(-1)?.leaving === leaving)

describe('a node whose owner wants to switch it off', () => {
  it('says so to the portal, and shows how far it is until it has left', async () => {
    await env.start({ data })
    env.server.leaving = { remaining: 2 }
    expect(await leave([], /: 0 of 2/)).toContain('Keep it running')
    await says(true)
    env.server.leaving = { remaining: 0 }
    expect(await leave([])).toContain('switch it off')
    expect(await readLeaving(data)).toMatchObject({ remaining: 0, of: 2 })
  })

  it('takes no uploads, and serves what it has', async () => {
    const node = await env.start({ data })
    const { bytes, cid } = await randomFile(1000)
    expect((await upload(env, node, bytes)).code).toBe(0)
    await leave(['--no-wait'])
    await says(true)
    expect((await upload(env, node, (await randomFile(1000)).bytes)).status).toBe(503)
    const joining = await fetch(`${node.url}/join`, { method: 'POST', body: JSON.stringify({ parts: [cid] }) })
    expect(joining.status).toBe(503)
    const token = await env.server.downloadToken(node.id, cid)
    expect((await fetch(`${node.url}/ipfs/${cid}?token=${token}`)).status).toBe(200)
  })

  it('goes on leaving after a restart, until its owner lets it stay', async () => {
    const node = await env.start({ data })
    await leave(['--no-wait'])
    await node.stop()
    const again = await env.start({ data })
    await says(true)
    expect(await leave(['--cancel'])).toContain('stays')
    await says(false)
    expect((await upload(env, again, (await randomFile(1000)).bytes)).code).toBe(0)
  })

  it('is not paused any more: a paused node does not talk to the portal', async () => {
    await env.start({ data })
    await writeLimits(data, { rates: [], paused: true })
    await leave(['--no-wait'])
    expect(await readLimits(data)).toMatchObject({ paused: false, leaving: true })
    await says(true)
  })

  it('is told in Chinese, too', async () => {
    await env.start({ data })
    expect(await leave(['--no-wait'], undefined, { lang: 'zh' })).toMatch(/^[^a-z]*节点正在退出/)
  })
})

describe('it says what to do if', () => {
  it('the portal does not accept it yet', async () => {
    await env.start({ data })
    await leave([], /once a day/)
  })

  it('the node does not run', async () => {
    const node = await env.start({ data })
    await node.stop()
    let time = Date.now()
    await leave([], /Start it/, { now: () => (time += 90_000) })
  })
})

describe('refused are', () => {
  it('a folder without a node, and unknown words', async () => {
    await expect(leave([])).rejects.toThrow(/no node/)
    await env.start({ data })
    await expect(leave(['--now'])).rejects.toThrow(/Usage/)
  })

  it('old figures: leaving again begins anew', async () => {
    await env.start({ data })
    await noteLeaving(data, { remaining: 0 }, Date.now())
    env.server.leaving = { remaining: 3 }
    await leave([], /: 0 of 3/)
  })
})
