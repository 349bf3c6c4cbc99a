import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from '../network/test-network.ts'
import { signUp } from '../network/wire-client.ts'

const run = promisify(execFile)
const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
/** In order: each step uses the result of the previous one. */
const steps = ['upload', 'list', 'download', 'share']

let network: Network
let folder: string
beforeAll(async () => {
  network = await startNetwork({ nodes: 2 })
  folder = await mkdtemp(join(tmpdir(), 'examples-'))
  await symlink(here('apps/cli/bin/tidenet.js'), join(folder, 'tidenet'))
})
afterAll(async () => {
  await network?.stop()
  if (folder) await rm(folder, { recursive: true })
})

/** A folder and an account for the examples of one kind. */
async function shell(kind: string) {
  const { token } = await signUp(network.url)
  const cwd = await mkdtemp(join(folder, `${kind}-`))
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    TIDENET_URL: network.url,
    TIDENET_TOKEN: token,
    TIDENET_CONFIG: join(cwd, 'config'),
    TIDENET_LANG: 'en',
  }
  return {
    cwd,
    run: async (step: string) => (await run('bash', ['-eu', here(`examples/${kind}/${step}.sh`)], { cwd, env })).stdout,
  }
}

describe('the shell examples', () => {
  it.each(['cli', 'curl'])('in %s exist for the four steps', (kind) => {
    expect(readdirSync(here(`examples/${kind}`)).sort()).toEqual(steps.map((step) => `${step}.sh`).sort())
  })

  it('upload, list, download and share with the command line', async () => {
    const { cwd, run } = await shell('cli')
    await run('upload')
    expect(await run('list')).toContain('tide.txt')
    await run('download')
    expect(await readFile(join(cwd, 'back.txt'), 'utf8')).toBe(await readFile(join(cwd, 'tide.txt'), 'utf8'))
    expect(await run('share')).toContain(network.url)
  })

  it('upload, list, download and share with curl', async () => {
    const { cwd, run } = await shell('curl')
    expect(JSON.parse(await run('upload'))).toMatchObject({ code: 0 })
    expect(JSON.parse(await run('list'))).toMatchObject({ code: 0, data: { total: 1 } })
    expect(JSON.parse(await run('download'))).toMatchObject({ code: 0 })
    expect(await readFile(join(cwd, 'back.txt'), 'utf8')).toBe(await readFile(join(cwd, 'ebb.txt'), 'utf8'))
    expect(JSON.parse(await run('share'))).toMatchObject({ code: 0, data: { url: expect.stringContaining('/link?') } })
  })
})
