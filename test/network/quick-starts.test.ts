/** @module-tag long */
/// <reference types="vite/client" />
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  mcpConfigurations,
  type QuickStartWay,
  quickStarts,
  SAMPLE_ACCESS_KEY,
  SAMPLE_FOLDER,
  SAMPLE_KEY,
} from '../../apps/web/src/features/docs/quick-starts.ts'
import { startNetwork } from './test-network.ts'
import { signUp } from './wire-client.ts'

// Runs the commands on /docs/start in a shell, with only the placeholders replaced. They download the programs of this checkout.

const run = promisify(execFile)
/** What the page promises, from the key to a verified upload. */
const TWO_MINUTES_MS = 120_000

let network: Network
let folder: string
let npmSettings: Record<string, string>
beforeAll(async () => {
  await run(process.execPath, [fileURLToPath(new URL('../../tools/pack-downloads.mjs', import.meta.url))])
  const { stdout } = await run('npm', ['config', 'get', 'userconfig', 'globalconfig', 'cache'])
  npmSettings = Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => `npm_config_${line}`.split(/=(.*)/)),
  )
  network = await startNetwork({ nodes: 2, s3: { port: 0 } })
  folder = await mkdtemp(join(tmpdir(), 'quick-starts-'))
})
afterAll(async () => {
  await network?.stop()
  if (folder) await rm(folder, { recursive: true })
})

/** A new account with a key, on a machine with Node.js and an empty home folder. */
async function reader() {
  const person = await signUp(network.url)
  const { data } = await person.post<Record<string, string>>('/api/v1/storage/create_key', { key_name: 'first' })
  const home = await mkdtemp(join(folder, 'home-'))
  const cwd = join(home, 'work')
  await mkdir(cwd)
  const env = {
    PATH: `${join(home, 'npm', 'bin')}:${process.env.PATH}`,
    HOME: home,
    TIDENET_LANG: 'en',
    ...npmSettings,
    npm_config_prefix: join(home, 'npm'),
    npm_config_prefer_offline: 'true',
  }
  const filled = (text: string) =>
    text
      .replaceAll(SAMPLE_KEY, data.key ?? '')
      .replace(SAMPLE_FOLDER, join(cwd, 'tidenet-agent'))
      .replace(`_ACCESS_KEY_ID=${SAMPLE_ACCESS_KEY.id}`, `_ACCESS_KEY_ID=${data.access_key_id}`)
      .replace(`_SECRET_ACCESS_KEY=${SAMPLE_ACCESS_KEY.secret}`, `_SECRET_ACCESS_KEY=${data.secret_access_key}`)
  return {
    person,
    cwd,
    env,
    filled,
    async type(way: QuickStartWay) {
      const path = join(home, 'commands.sh')
      await writeFile(path, filled(quickStarts(network.url, network.s3Url)[way]))
      const began = Date.now()
      const { stdout } = await run('bash', ['-e', path], { cwd, env })
      return { stdout, ms: Date.now() - began }
    },
  }
}

describe('the quick start with', () => {
  it.each([
    ['cli', 'tide.txt', /^verified$/m],
    ['sdk', 'turn.txt', /^verified baf/m],
    ['curl', 'ebb.txt', /^verified baf/m],
    ['s3', 'high.txt', /^verified$/m],
    ['mcp', 'note.txt', /"verified":true/],
  ] as const)('%s ends with a verified upload in less than two minutes', async (way, name, verified) => {
    const { person, type } = await reader()
    const { stdout, ms } = await type(way)
    expect(stdout).toMatch(verified)
    expect(ms).toBeLessThan(TWO_MINUTES_MS)
    const { list } = (
      await person.get<{ list: { AssetOverview: { UserAssetDetail: { AssetName: string } } }[] }>(
        '/api/v1/storage/search_items',
        { q: name },
      )
    ).data
    expect(list.map(({ AssetOverview: { UserAssetDetail } }) => UserAssetDetail.AssetName)).toEqual([name])
  })
})

describe('the configurations for agents', () => {
  const server = (text: string) => JSON.parse(text).mcpServers.tidenet

  it('on a computer starts the installed program', async () => {
    const { type, env, cwd, filled } = await reader()
    await type('mcp')
    const { command, args, env: more } = server(filled(mcpConfigurations(network.url).local))
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StdioClientTransport({ command, args, env: { ...env, ...more }, cwd: '/' }) as never)
    const read = await client.callTool({ name: 'read_file', arguments: { path: '/note.txt' } })
    expect(read.structuredContent).toMatchObject({ verified: true })
    expect(JSON.stringify(read.content)).toContain(
      (await readFile(join(cwd, 'tidenet-agent', 'note.txt'), 'utf8')).trim(),
    )
    await client.close()
  })

  it('through the portal reaches it', async () => {
    const { filled } = await reader()
    const { url, headers } = server(filled(mcpConfigurations(network.url).portal))
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as never)
    expect((await client.callTool({ name: 'list_files', arguments: {} })).structuredContent).toEqual({ items: [] })
    await client.close()
  })
})
