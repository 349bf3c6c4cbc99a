import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryResumeStore } from '../platform/resume-store.ts'
import { someBytes, startTestEnv, type TestEnv } from '../test-env.fixture.ts'

const SMALL = 300_000
const LARGE = 9 * 1024 * 1024
const MODIFIED = 1_700_000_000_000
const ENDED = { code: -1, err: 2131, msg: 'ended' }
const UNKNOWN = { code: -1, err: 1000, msg: 'unknown' }

let env: TestEnv
let resume: ReturnType<typeof memoryResumeStore>
beforeEach(async () => {
  env = await startTestEnv()
  resume = memoryResumeStore()
  let traces = 0
  env.answers.set('begin', ({ trace_id }) => {
    if (!trace_id) traces += 1
    return {
      List: env.nodes.map(({ id, url }) => ({
        NodeID: id,
        UploadURL: `${url}/uploadv2`,
        ResumeURL: `${url}/tus`,
        Token: `up-${id}`,
      })),
      AreaID: '',
      TraceID: trace_id ?? `trace-${traces}`,
      available_nodes: env.nodes.length,
    }
  })
  env.answers.set('add', () => ({}))
})
afterEach(() => env.close())

/** A ticket as the portal signs it. @param at tickets of one link differ by time */
const ticketOf = (link: string, at = 1): string =>
  ['head', Buffer.from(JSON.stringify({ sub: link, iat: at })).toString('base64url'), 'signature'].join('.')

const file = (bytes: Uint8Array, name = 'a.bin') => new File([new Uint8Array(bytes)], name, { lastModified: MODIFIED })

/** Uploads as a page does that was just opened. */
const upload = (ticket: string, source: File) =>
  env.storage({ token: '' }).uploadAsset(source, { ticket, resume, retryCount: 1 })

const offsets = () =>
  env.nodes[0]!.requests.filter(({ method }) => method === 'PATCH').map(({ headers }) => headers['upload-offset'])

async function interrupt(ticket: string, source: File): Promise<void> {
  env.nodes[0]!.knobs.breakAfter = 5_000_000
  expect((await upload(ticket, source)).code).toBe(10015)
  env.nodes[0]!.requests.length = 0
}

/** The node has the file, but every answer of the portal is lost. */
async function loseAnswer(ticket: string, source: File): Promise<void> {
  env.answers.set('add', () => (response: ServerResponse) => response.writeHead(503).end())
  expect((await upload(ticket, source)).code).toBe(503)
  env.answers.set('add', () => ({}))
  env.nodes[0]!.requests.length = 0
  env.calls.length = 0
}

describe('an upload by a link', () => {
  it('continues where it was interrupted, also with a later ticket of the link', async () => {
    const source = file(someBytes(LARGE))
    await interrupt(ticketOf('link', 1), source)
    const later = ticketOf('link', 2)
    expect(await upload(later, source)).toMatchObject({ code: 0, data: { traceId: 'trace-1' } })
    expect(offsets()).toEqual(['5000000'])
    expect(env.called('begin').map(({ trace_id }) => trace_id)).toEqual([undefined, 'trace-1'])
    expect(env.called('add')).toMatchObject([{ ticket: later, trace_id: 'trace-1', receipt: 'receipt-node-0' }])
  })

  it('keeps its trace where the portal begins another one, because the receipt names it', async () => {
    const source = file(someBytes(LARGE))
    await interrupt(ticketOf('link'), source)
    const begin = env.answers.get('begin')!
    env.answers.set('begin', (input) => ({ ...(begin(input) as object), TraceID: 'trace-new' }))
    expect((await upload(ticketOf('link'), source)).code).toBe(0)
    expect(offsets()).toEqual(['5000000'])
    expect(env.called('add')).toMatchObject([{ trace_id: 'trace-1' }])
  })

  it.each([SMALL, LARGE])('of %i bytes is not sent again if only the portal’s confirmation was lost', async (size) => {
    const source = file(someBytes(size))
    await loseAnswer(ticketOf('link'), source)
    expect((await upload(ticketOf('link', 2), source)).code).toBe(0)
    expect(env.nodes[0]!.requests).toEqual([])
    expect(env.called('begin')).toEqual([])
    expect(env.called('add')).toMatchObject([{ trace_id: 'trace-1' }])
  })

  it('is sent again after it was added: then the visitor means another copy', async () => {
    const source = file(someBytes(SMALL))
    expect((await upload(ticketOf('link'), source)).code).toBe(0)
    expect((await upload(ticketOf('link'), source)).code).toBe(0)
    expect(env.called('add').map(({ trace_id }) => trace_id)).toEqual(['trace-1', 'trace-2'])
  })

  it('is sent again if the portal does not know it any more', async () => {
    const source = file(someBytes(SMALL))
    await loseAnswer(ticketOf('link'), source)
    const answers: unknown[] = [UNKNOWN, {}]
    env.answers.set('add', () => answers.shift())
    expect((await upload(ticketOf('link'), source)).code).toBe(0)
    expect(env.called('add').map(({ trace_id }) => trace_id)).toEqual(['trace-1', 'trace-2'])
  })

  it('does not take another file of the same name, size and time for the one that was sent', async () => {
    await loseAnswer(ticketOf('link'), file(someBytes(SMALL, 1)))
    const other = someBytes(SMALL, 2)
    expect((await upload(ticketOf('link'), file(other))).code).toBe(0)
    const { cid } = env.called('add')[0] as { cid: string }
    expect(env.nodes[0]!.contents.get(cid)?.bytes.equals(other)).toBe(true)
  })

  it('is kept while the link does not accept it, and continues with a new ticket', async () => {
    const source = file(someBytes(LARGE))
    await interrupt(ticketOf('link', 1), source)
    const begin = env.answers.get('begin')!
    env.answers.set('begin', () => ENDED)
    expect(await upload(ticketOf('link', 1), source)).toMatchObject({ code: -1, data: { err: 2131 } })
    env.answers.set('begin', begin)
    expect((await upload(ticketOf('link', 2), source)).code).toBe(0)
    expect(offsets()).toEqual(['5000000'])
  })

  it('is not continued for another link, nor for a ticket that cannot be read, nor in an account', async () => {
    const source = file(someBytes(LARGE))
    await interrupt(ticketOf('link'), source)
    for (const ticket of [ticketOf('other'), 'unreadable']) expect((await upload(ticket, source)).code).toBe(0)
    expect((await env.storage().uploadAsset(source, { resume })).code).toBe(0)
    expect(offsets()).toEqual(['0', '0', '0'])
    expect(env.called('begin').every(({ trace_id }) => trace_id === undefined)).toBe(true)
  })

  it('goes neither into a folder of an account nor encrypted', async () => {
    const source = file(someBytes(SMALL))
    const storage = env.storage({ token: '' })
    for (const options of [{ groupId: 5 }, { encrypt: { passphrase: 'long enough' } }])
      expect((await storage.uploadAsset(source, { ticket: ticketOf('link'), ...options })).code).toBe(10025)
    expect(env.calls).toEqual([])
  })
})
