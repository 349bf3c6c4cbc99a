import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { createStorage, type StorageDeps, type StorageOptions } from './storage.ts'
import { close, listen, startNode, type TestNode } from './test-node.fixture.ts'

export type { NodeKnobs, TestNode } from './test-node.fixture.ts'

/** A portal and storage nodes for tests. */

export interface TestEnv {
  url: string
  nodes: TestNode[]
  /** Requests to the portal, in order. */
  calls: { name: string; input: Record<string, unknown>; headers: IncomingMessage['headers'] }[]
  /** Overrides of the portal's answers, by the last path segment; other calls get a default answer. */
  answers: Map<string, (input: Record<string, unknown>) => unknown>
  called(name: string): Record<string, unknown>[]
  /** The usual answer of the portal to who asks for a content's addresses. */
  addresses(cid: string): object
  storage(options?: StorageOptions, surroundings?: StorageDeps): ReturnType<typeof createStorage>
  /** Requested waits in ms; tests do not wait. */
  pauses: number[]
  close(): Promise<void>
}

export async function startTestEnv(options: { nodes?: number } = {}): Promise<TestEnv> {
  const nodes = await Promise.all(Array.from({ length: options.nodes ?? 1 }, (_, index) => startNode(`node-${index}`)))
  const calls: TestEnv['calls'] = []
  const answers: TestEnv['answers'] = new Map()
  const pauses: number[] = []
  const assets = new Map<string, Record<string, unknown>>()
  let trace = 0

  const lists = () => ({
    AlreadyExists: false,
    CID: '',
    List: nodes.map((node) => ({
      NodeID: node.id,
      UploadURL: `${node.url}/uploadv2`,
      ResumeURL: node.knobs.noTus ? '' : `${node.url}/tus`,
      Token: `up-${node.id}`,
    })),
    AreaID: 'here',
    TraceID: `trace-${++trace}`,
    available_nodes: nodes.length,
    Log: '',
    SizeKnown: false,
    Proof: null,
  })
  const addresses = (cid: string) => ({
    asset_cid: cid,
    size: nodes.find((node) => node.contents.has(cid))?.contents.get(cid)?.bytes.length ?? 0,
    url: nodes.filter((node) => node.contents.has(cid)).map((node) => `${node.url}/ipfs/${cid}?token=down-${node.id}`),
    node_ids: nodes.filter((node) => node.contents.has(cid)).map((node) => node.id),
    file_name: String(assets.get(cid)?.asset_name ?? 'file'),
    asset_type: assets.get(cid)?.asset_type ?? 'file',
    encrypted: Boolean(assets.get(cid)?.encrypted),
    redirect: false,
    trace_id: `trace-${++trace}`,
    available_nodes: nodes.length,
  })
  const register = (input: Record<string, unknown>) => {
    assets.set(String(input.asset_cid), input)
    return []
  }
  const usual: Record<string, (input: Record<string, unknown>) => unknown> = {
    get_upload_info: lists,
    get_upload_file: lists,
    create_asset: (input) => {
      register(input)
      if (input.asset_type !== 'folder') return []
      return nodes.map((node) => ({
        CandidateAddr: `${node.url}/upload`,
        ResumeURL: node.knobs.noTus ? '' : `${node.url}/tus`,
        NodeID: node.id,
        Token: `up-${node.id}`,
        TraceID: `trace-${trace + 1}`,
      }))
    },
    upload: register,
    share_asset: (input) => addresses(String(input.asset_cid)),
    open_asset: (input) => addresses(String(input.asset_cid)),
    download: (input) => addresses(String(input.cid)),
    info: () => ({ share_url: 'http://share' }),
    report: () => ({ msg: 'success', trace_id: '' }),
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://portal')
    const body = (await readAll(request)).toString()
    const parts = url.pathname.split('/')
    const temp = parts.indexOf('temp_file')
    const name = temp > 0 ? parts[temp + 1]! : parts.at(-1)!
    const input: Record<string, unknown> = {}
    for (const [key, value] of url.searchParams) {
      const before = input[key]
      input[key] = before === undefined ? value : [before, value].flat()
    }
    if (body) Object.assign(input, JSON.parse(body))
    if (temp > 0 && parts[temp + 2]) input.cid = parts[temp + 2]
    calls.push({ name, input, headers: request.headers })
    const answer = await (answers.get(name) ?? usual[name] ?? (() => ({})))(input)
    if (answer instanceof Function) {
      answer(response)
      return
    }
    const envelope = answer && typeof answer === 'object' && 'code' in answer ? answer : { code: 0, data: answer }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(envelope))
  })
  const url = await listen(server)
  return {
    url,
    nodes,
    calls,
    answers,
    pauses,
    addresses,
    called: (name) => calls.filter((call) => call.name === name).map((call) => call.input),
    storage: (more = {}, surroundings = {}) =>
      createStorage(
        { url, token: 'session', ...more },
        {
          pause: async (ms) => {
            pauses.push(ms)
          },
          ...surroundings,
        },
      ),
    async close() {
      await Promise.all([close(server), ...nodes.map((node) => node.close())])
    },
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
export const sha256Hex = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Seeded pseudo-random bytes. */
export function someBytes(size: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(size)
  let state = seed | 1
  for (let at = 0; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    bytes.writeInt32LE(state, at)
  }
  return bytes
}
