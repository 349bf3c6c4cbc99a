import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundleProgram } from './bundle.mjs'

let folder: string
let config: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-'))
  config = join(folder, 'config')
  await bundleProgram('@tidenet/cli', folder)
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => {
  const env = { ...process.env, TIDENET_CONFIG: config, TIDENET_LANG: 'en' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'bundle/main.js'), ...args], {
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}
const version = { status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' }
const cache = () => join(config, 'compiled.bin')
/** Changes whenever it is written again. */
const written = () => statSync(cache()).ino

describe('the bundled command line', () => {
  beforeEach(() => {
    rmSync(config, { recursive: true, force: true })
    mkdirSync(config, { mode: 0o700 })
  })

  it('keeps its compiled code for the next run, readable by its owner alone', () => {
    expect(run('--version')).toEqual(version)
    expect(statSync(cache()).mode & 0o777).toBe(0o600)
    const before = written()
    expect(run('--version')).toEqual(version)
    expect(written()).toBe(before)
  })

  it('loads the parts that a command needs, and runs once', () => {
    run('--version')
    const file = join(config, 'receipt')
    writeFileSync(file, 'no receipt')
    for (const _ of ['compiled', 'from the cache']) {
      const { status, stderr } = run('verify', file)
      expect(status).toBeGreaterThan(0)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
  })

  it('leaves no file where it has no folder', () => {
    rmSync(config, { recursive: true })
    expect(run('--version')).toEqual(version)
    expect(existsSync(config)).toBe(false)
  })

  it('does not run compiled code that is damaged, or that others could have written', () => {
    run('--version')
    const good = readFileSync(cache())
    const damaged = Buffer.from(good)
    damaged[good.length >> 1]! ^= 1
    for (const bytes of [damaged, good.subarray(0, 1000), Buffer.alloc(0)]) {
      writeFileSync(cache(), bytes)
      const before = written()
      expect(run('--version')).toEqual(version)
      expect(written()).not.toBe(before)
    }
    chmodSync(cache(), 0o666)
    const before = written()
    expect(run('--version')).toEqual(version)
    expect(written()).not.toBe(before)
    expect(statSync(cache()).mode & 0o777).toBe(0o600)
  })
})
