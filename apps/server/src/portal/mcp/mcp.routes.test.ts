import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rawCid } from '@tidenet/content/cid'
import { errors, errorText, RESOURCE_BOUNDS } from '@tidenet/contract'
import { MCP_VERSIONS, STATELESS_VERSION } from '@tidenet/contract/mcp/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { sampleFile } from '../../storage/assets/sample-files.fixture.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

const post = (payload: unknown, headers: Record<string, string> = {}) =>
  env.app.inject({ method: 'POST', url: '/mcp', payload: payload as object, headers })
const rpc = async (key: string, method: string, params: object = {}) =>
  (await post({ jsonrpc: '2.0', id: 1, method, params }, { authorization: `Bearer ${key}` })).json()
const META = {
  'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
}
/** A request of the versions without sessions. @param headers others than its own; undefined: none */
async function alone(
  key: string,
  method: string,
  { meta, ...params }: { name?: string; meta?: object } = {},
  headers: Record<string, string | undefined> = {},
) {
  const own = {
    authorization: `Bearer ${key}`,
    'mcp-protocol-version': STATELESS_VERSION,
    'mcp-method': method,
    ...(params.name !== undefined && { 'mcp-name': params.name }),
  }
  const sent = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== undefined)
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...META, ...meta } } }
  const answer = await post(body, Object.fromEntries(sent) as Record<string, string>)
  return { status: answer.statusCode, ...answer.json() }
}
const tool = async (key: string, name: string, input: object = {}) => {
  const { result, error } = await rpc(key, 'tools/call', { name, arguments: input })
  return { ...result, error, data: result?.structuredContent, text: result?.content?.[0]?.text as string }
}
const activity = async (person: Person) =>
  (await env.call('activity.list', { kind: 'keys' }, person)).data.list.filter(({ action }) => action === 'agent.call')

async function agent(more: object = {}) {
  const person = await env.person()
  const { key } = (await env.call('apiKeys.create', { key_name: 'my agent', ...more } as never, person)).data
  return { person, key }
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('the MCP server of the portal', () => {
  it('tells its version, its tools and their hints', async () => {
    const { key } = await agent()
    const [STATELESS, ...older] = MCP_VERSIONS
    for (const protocolVersion of older) {
      const { result } = await rpc(key, 'initialize', { protocolVersion })
      expect(result).toMatchObject({ protocolVersion, capabilities: { tools: {} } })
    }
    // The newest that begins with a handshake.
    for (const protocolVersion of ['1999-01-01', '2099-01-01', STATELESS])
      expect((await rpc(key, 'initialize', { protocolVersion })).result.protocolVersion).toBe(older[0])
    const { tools } = (await rpc(key, 'tools/list')).result
    const hints = Object.fromEntries(
      tools.map((each: { name: string; annotations: object }) => [each.name, each.annotations]),
    )
    expect(hints.list_files).toMatchObject({ readOnlyHint: true })
    expect(hints.begin_upload).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(hints.finish_upload).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    expect(hints.share_file).toMatchObject({ readOnlyHint: false, openWorldHint: true })
    for (const { inputSchema } of tools)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
  })

  it('answers requests without a session, which say of what version they are', async () => {
    const { person, key } = await agent()
    const found = await alone(key, 'server/discover')
    expect(found.status).toBe(200)
    expect(found.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: MCP_VERSIONS,
      capabilities: { tools: {} },
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'tidenet' } },
    })
    expect(found.result.instructions).toBe((await rpc(key, 'initialize')).result.instructions)
    const { tools, ttlMs } = (await alone(key, 'tools/list')).result
    expect(tools).toEqual((await rpc(key, 'tools/list')).result.tools)
    expect(ttlMs).toBeGreaterThan(0)
    expect((await alone(key, 'tools/call', { name: 'list_files' })).result).toMatchObject({
      resultType: 'complete',
      structuredContent: { items: [] },
    })
    // A name can be sent in base64, as those must be that no header can have.
    const encoded = `=?base64?${Buffer.from('list_files').toString('base64')}?=`
    expect((await alone(key, 'tools/call', { name: 'list_files' }, { 'mcp-name': encoded })).status).toBe(200)
    expect(await activity(person)).toHaveLength(2)
  })

  it('answers the batches of clients that speak 2025-03-26, each message as if it came alone', async () => {
    const { person, key } = await agent()
    const as = { authorization: `Bearer ${key}`, 'mcp-protocol-version': '2025-03-26' }
    const usage = { jsonrpc: '2.0', id: 'usage', method: 'tools/call', params: { name: 'usage' } }
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const answer = await post([ping, note, usage, { hello: 'there' }], as)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject([
      { id: ping.id, result: {} },
      { id: 'usage', result: { structuredContent: {} } },
      { id: null, error: { code: -32600 } },
    ])
    expect(await activity(person)).toHaveLength(1)
    expect((await post([note, note], as)).statusCode).toBe(202)
  })

  it('lists, reads and shares files by their paths', async () => {
    const { person, key } = await agent()
    const { group } = (await env.call('folders.create', { name: 'reports' }, person)).data
    const { cid } = await sampleFile(env.db, person.id, { size: 12, nodes: [node] })
    await env.db.run(sql`update assets set folder_id = ${group.ID}, name = 'june.csv' where cid = ${cid}`)
    expect((await tool(key, 'list_files')).data.items).toMatchObject([{ kind: 'folder', name: 'reports' }])
    expect((await tool(key, 'list_files', { folder: '/reports' })).data.items).toMatchObject([
      { name: 'june.csv', cid },
    ])
    const read = await tool(key, 'read_file', { path: '/reports/june.csv' })
    expect(read.data).toMatchObject({ size: 12, cid })
    expect(read.data.addresses[0]).toContain('token=')
    const shared = await tool(key, 'share_file', { path: 'reports/june.csv', password: 'abc123' })
    expect(shared.data).toMatchObject({ password: 'abc123' })
    const days = (Date.parse(shared.data.expires) - env.clock.now()) / 86_400_000
    expect(Math.round(days)).toBe(7)
  })

  it('uploads in two steps; the bytes go to a node', async () => {
    const { person, key } = await agent()
    const text = 'from an agent'
    const upload = async (text: string) => {
      const { data } = await tool(key, 'begin_upload', { name: 'a.txt', size: text.length })
      const cid = (await rawCid(Buffer.from(text))).toString()
      const jti = JSON.parse(Buffer.from(data.headers.Authorization.split('.')[1], 'base64url').toString()).jti
      const receipt = await node.receipt({ sub: person.uid, cid, size: text.length, tid: data.trace_id, jti })
      return (await tool(key, 'finish_upload', { name: 'a.txt', size: text.length, cid, receipt })).data
    }
    expect(await upload(text)).toMatchObject({ stored: true, name: 'a.txt' })
    expect((await tool(key, 'list_files')).data.items).toMatchObject([{ name: 'a.txt', size: text.length }])
    expect(await upload('another')).toMatchObject({ name: 'a (2).txt' })
  })

  it('prints a command of the shell that sends files of any name', async () => {
    const { key } = await agent()
    const folder = mkdtempSync(join(tmpdir(), 'upload-'))
    const received = createServer((request, response) => {
      request.resume().on('end', () => response.end(request.headers['content-length']))
    })
    await new Promise<void>((resolve) => received.listen(0, '127.0.0.1', resolve))
    const { port } = received.address() as AddressInfo
    try {
      for (const name of [
        'plain.txt',
        'a;type=b.txt',
        'a,b.txt',
        `it's "quoted".txt`,

        '$(touch x) `y`.txt',
      ]) {
        writeFileSync(join(folder, name), 'x'.repeat(10_000))
        const { data } = await tool(key, 'begin_upload', { name, size: 10_000 })
        const command = data.curl.replace(data.url, `http://127.0.0.1:${port}/`)
        const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder })
        expect(Number(stdout), name).toBeGreaterThan(10_000)
        expect(Number(stdout), name).toBeLessThan(11_000)
      }
    } finally {
      received.close()
      rmSync(folder, { recursive: true })
    }
  })

  it('shows caps, and prices', async () => {
    const { key } = await agent({ traffic_cap: 1000, spending_cap: 1 })
    const usage = (await tool(key, 'usage')).data
    expect(usage.key).toMatchObject({
      name: 'my agent',
      traffic: { cap: 1000, left: 1000 },
      spending: { cap: 1, left: 1 },
    })
    expect(usage.account.storage.total).toBeGreaterThan(0)
    const price = (await tool(key, 'order_price', { cpu: 8, ram: 16, storage: 100, hours: 100 })).data
    expect(price).toMatchObject({ unit: 'TNT', key_may_order: false, spending_left: 1 })
    expect(price.cost).toBeGreaterThan(1)
  })

  it('tells agents the bounds of an order before they ask', async () => {
    const { key } = await agent()
    const { tools } = (await rpc(key, 'tools/list')).result
    const { properties } = tools.find(({ name }: { name: string }) => name === 'order_price').inputSchema
    expect(properties.storage).toMatchObject({
      minimum: RESOURCE_BOUNDS.storage.min,
      maximum: RESOURCE_BOUNDS.storage.max,
    })
    expect(properties.hours).toMatchObject({
      minimum: RESOURCE_BOUNDS.duration.min,
      maximum: RESOURCE_BOUNDS.duration.max,
    })
  })

  it('records every call with the key and the tool, without arguments', async () => {
    const { person, key } = await agent()
    await tool(key, 'list_files', { folder: '/secret-plan' })
    await tool(key, 'usage', { folder: 'not allowed' })
    await env.call('agents.record', { tool: 'upload_file' }, { token: key })
    expect((await activity(person)).map(({ subject, by, key: name }) => ({ subject, by, name }))).toEqual([
      { subject: 'tool:upload_file', by: 'key', name: 'my agent' },
      { subject: 'tool:usage', by: 'key', name: 'my agent' },
      { subject: 'tool:list_files', by: 'key', name: 'my agent' },
    ])
    const log = await env.db.rows<{ row: string }>(
      sql`select a::text as row from audit_log a where action = 'agent.call'`,
    )
    expect(JSON.stringify(log)).not.toContain('secret-plan')
  })

  it('respects the folders and permissions of the key, and its caps', async () => {
    const { person } = await agent()
    const { group } = (await env.call('folders.create', { name: 'mine' }, person)).data
    await env.call('folders.create', { name: 'other' }, person)
    const limited = await env.key(person, ['readFolder', 'createFile'], [group.ID])
    expect((await tool(limited, 'list_files')).data.items).toMatchObject([{ name: 'mine' }])
    expect(await tool(limited, 'list_files', { folder: '/mine' })).toMatchObject({ data: { items: [] } })
    expect(await tool(limited, 'list_files', { folder: '/other' })).toMatchObject({ isError: true })
    expect((await tool(limited, 'begin_upload', { name: 'a', size: 1, folder: '/mine' })).data.trace_id).toBeTruthy()
    expect((await tool(limited, 'usage')).data.key).toMatchObject({ limited_to_folders: true })
    expect(await tool(limited, 'share_file', { path: '/mine' })).toMatchObject({ isError: true })
    const { key } = await agent({ traffic_cap: 10 })
    expect(await tool(key, 'begin_upload', { name: 'a', size: 11 })).toMatchObject({ isError: true })
  })
})

describe('the MCP server refuses', () => {
  it('callers without an API key, and sessions', async () => {
    const { person, key } = await agent()
    for (const headers of [{}, { authorization: 'Bearer tnk_wrong' }, { authorization: `Bearer ${person.token}` }]) {
      const answer = await post(ping, headers as Record<string, string>)
      expect(answer.statusCode).toBe(401)
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      // An agent has no session that could have expired: it is told that it needs a key, or another one.
      const why = 'authorization' in headers ? 'keyRejected' : 'keyMissing'
      expect(answer.json()).toMatchObject({ code: 401, msg: errorText(why, 'en') })
    }
    expect((await post(ping, { authorization: 'Bearer secret' })).json().msg).toBe(errorText('keyRejected', 'en'))
    // The log would name another key than the tools use.
    const { key: other } = await agent()
    const two = { authorization: `Bearer ${key}`, jwtauthorization: `Bearer ${other}` }
    expect((await post(ping, two)).statusCode).toBe(401)
    expect((await post(ping, { authorization: `Bearer ${key}` })).json()).toMatchObject({ result: {} })
  })

  it('no scheme that differs in case or spaces only', async () => {
    const { key } = await agent()
    for (const scheme of ['bearer ', 'BEARER ', 'Bearer  ']) {
      const authorization = `${scheme}${key}`
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_files' } }
      expect((await post(call, { authorization })).json().result, scheme).toMatchObject({
        structuredContent: { items: [] },
      })
    }
    for (const scheme of ['', 'Basic ', 'Bearer'])
      expect((await post(ping, { authorization: `${scheme}${key}` })).statusCode).toBe(401)
  })

  it('pages of other sites', async () => {
    const { key } = await agent()
    const from = (origin: string) => post(ping, { authorization: `Bearer ${key}`, origin })
    for (const origin of ['https://evil.test', 'null', 'http://127.0.0.1:1'])
      expect((await from(origin)).statusCode).toBe(403)
    expect((await from(env.context.portalUrl())).statusCode).toBe(200)
    const preflight = await env.app.inject({
      method: 'OPTIONS',
      url: '/mcp',
      headers: { origin: 'https://evil.test', 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('streams, sessions, unknown versions and methods, and long messages', async () => {
    const { key } = await agent()
    const as = { authorization: `Bearer ${key}` }
    for (const method of ['GET', 'DELETE'] as const)
      expect((await env.app.inject({ method, url: '/mcp', headers: as })).statusCode).toBe(405)
    expect((await post({ hello: 'there' }, as)).statusCode).toBe(400)
    expect((await post(ping, { ...as, 'mcp-protocol-version': '1999-01-01' })).statusCode).toBe(400)
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, as)).statusCode).toBe(202)
    expect((await rpc(key, 'resources/list')).error.code).toBe(-32601)
    expect((await rpc(key, 'tools/call', { name: '__proto__' })).error.code).toBe(-32602)
    expect((await post({ ...ping, params: { fill: 'x'.repeat(70_000) } }, as)).statusCode).toBe(413)
  })

  it('requests without a session whose headers say something else, or that say too little', async () => {
    const { person, key } = await agent()
    const call = { name: 'list_files' }
    for (const headers of [
      { 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-protocol-version': undefined },
      { 'mcp-method': 'tools/list' },
      { 'mcp-method': undefined },
      { 'mcp-name': 'usage' },
      { 'mcp-name': undefined },
      { 'mcp-name': '=?base64?dXNhZ2U=?=' },
    ])
      expect(await alone(key, 'tools/call', call, headers)).toMatchObject({ status: 400, error: { code: -32020 } })
    const unknown = { meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } }
    expect(await alone(key, 'tools/list', unknown, { 'mcp-protocol-version': '2099-01-01' })).toMatchObject({
      status: 400,
      id: 1,
      error: { code: -32022, data: { supported: MCP_VERSIONS, requested: '2099-01-01' } },
    })
    const silent = { meta: { 'io.modelcontextprotocol/clientCapabilities': undefined } }
    expect(await alone(key, 'tools/list', silent)).toMatchObject({ status: 400, error: { code: -32602 } })
    const none = { meta: { 'io.modelcontextprotocol/protocolVersion': undefined } }
    expect(await alone(key, 'tools/list', none)).toMatchObject({ status: 400, error: { code: -32602 } })
    for (const method of ['ping', 'initialize', 'resources/list'])
      expect(await alone(key, method)).toMatchObject({ status: 404, error: { code: -32601 } })
    // In a batch, the headers would say nothing about them.
    const inBatch = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call, _meta: META } }
    const batch = await post([inBatch], { authorization: `Bearer ${key}` })
    expect(batch.json()).toMatchObject([{ error: { code: -32600 } }])
    expect(await activity(person)).toEqual([])
  })

  it('batches of versions that have none, empty ones, and ones that are too long', async () => {
    const { key } = await agent()
    const send = (body: object, version?: string) =>
      post(body, { authorization: `Bearer ${key}`, ...(version && { 'mcp-protocol-version': version }) })
    for (const version of ['2025-06-18', '2025-11-25']) expect((await send([ping, ping], version)).statusCode).toBe(400)
    expect((await send([])).statusCode).toBe(400)
    expect((await send(Array.from({ length: 21 }, () => ping))).statusCode).toBe(400)
  })

  it('arguments that a tool does not have, and paths that are not there, and says what to do', async () => {
    const { key } = await agent()
    for (const [name, input] of [
      ['list_files', { path: '/' }],
      ['list_files', { limit: 1000 }],
      ['read_file', { path: '/' }],
      ['read_file', { path: '/no/such' }],
      ['share_file', { path: '../../etc/passwd' }],
      ['order_price', { cpu: 1e9, ram: 1, storage: 1, hours: 1 }],
      ['finish_upload', { name: 'a', size: 1, cid: 'x', receipt: 'y' }],
    ] as const)
      expect(await tool(key, name, input), name).toMatchObject({ isError: true, text: expect.stringMatching(/\w+/) })
  })

  it('a key that was deleted, within a second', async () => {
    const { person, key } = await agent()
    await env.call('apiKeys.remove', { key_name: 'my agent' }, person)
    env.pass(1000)
    expect((await post(ping, { authorization: `Bearer ${key}` })).statusCode).toBe(401)
    expect(await env.call('agents.record', { tool: 'usage' }, { token: key })).toMatchObject({ code: 401 })
    expect(await env.call('agents.record', { tool: 'hack' as never }, person)).toMatchObject({
      err: errors.invalidParams.err,
    })
  })
})
