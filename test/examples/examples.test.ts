import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from '../network/test-network.ts'
import { signUp } from '../network/wire-client.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../examples/', import.meta.url))
const programs = readdirSync(folder).filter((name) => name.endsWith('.mjs'))

let network: Network
let token: string

beforeAll(async () => {
  network = await startNetwork({ nodes: 2 })
  token = (await signUp(network.url)).token
})
afterAll(() => network?.stop())

describe('the example', () => {
  it.each(programs)('%s succeeds', async (name) => {
    const env = { ...process.env, TIDENET_URL: network.url, TIDENET_TOKEN: token }
    const { stdout } = await run(process.execPath, [join(folder, name)], { env, timeout: 60_000 })
    const results = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { code: number; msg?: string })
    expect(results.at(-1)).toMatchObject({ code: 0 })
  })

  it('exists for every method of the SDK', () => {
    const texts = programs.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
    const methods = [
      'initialize',
      'getInstance',
      'updateToken',
      'updateLanguage',
      'listRegions',
      'createFolder',
      'listDirectoryContents',
      'renameFolder',
      'renameAsset',
      'deleteFolder',
      'deleteAsset',
      'getUserProfile',
      'getItemDetails',
      'createSharedLink',
      'uploadAsset',
      'downloadAsset',
      'getDownLoadUrls',
      'reports',
      'moveAsset',
      'moveFolder',
      'createKey',
      'listKeys',
      'deleteKey',
      'usage',
    ]
    expect(methods.filter((method) => !texts.includes(`.${method}(`))).toEqual([])
  })
})
