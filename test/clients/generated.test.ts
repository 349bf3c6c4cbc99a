import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from '../network/test-network.ts'
import { signUp } from '../network/wire-client.ts'

/** TIDENET_TEST_PYTHON: the folder of the programs of `tools/python`. */
const programs = process.env.TIDENET_TEST_PYTHON ?? ''
const DOCUMENT = fileURLToPath(new URL('../../docs/api/openapi.json', import.meta.url))
const PROGRAM = fileURLToPath(new URL('generated.py', import.meta.url))

describe.skipIf(programs === '')('with Python', () => {
  let network: Network
  let folder: string
  beforeAll(async () => {
    network = await startNetwork({ nodes: 1 })
    folder = mkdtempSync(join(tmpdir(), 'tidenet-generated-'))
  })
  afterAll(async () => {
    await network?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const run = (program: string, ...args: string[]) =>
    spawnSync(join(programs, program), args, {
      encoding: 'utf8',
      cwd: folder,
      env: {
        ...process.env,
        PATH: `${programs}:${process.env.PATH}`,
        PYTHONPATH: folder,
        PYTHONDONTWRITEBYTECODE: '1',
      },
    })

  it('a second validator finds the OpenAPI document valid', () => {
    const { status, stdout, stderr } = run('openapi-spec-validator', DOCUMENT)
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('OK')])
  })

  it('a generated client signs in and lists files', async () => {
    const output = join(folder, 'tidenet_client')
    const generated = run(
      'openapi-python-client',
      'generate',
      '--path',
      DOCUMENT,
      '--meta',
      'none',
      '--output-path',
      output,
    )
    // Parts that could not be generated would be named.
    expect(`${generated.stdout}${generated.stderr}`).not.toMatch(/WARNING|unable|unsupported/i)
    const person = await signUp(network.url)
    const { stdout, stderr } = run('python', PROGRAM, network.url, person.username, person.password)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({ id: expect.any(Number), names: ['generated'], err: 1001 })
  })
})
