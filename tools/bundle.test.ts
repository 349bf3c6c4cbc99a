import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
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

const run = (...args: string[]) => runWith({ TIDENET_CONFIG: config }, ...args)
const runWith = (more: Record<string, string>, ...args: string[]) => {
  const { TIDENET_CONFIG, XDG_CONFIG_HOME, ...own } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'bundle/main.js'), ...args], {
    cwd: folder,
    env: { ...own, TIDENET_LANG: 'en', ...more },
    encoding: 'utf8',
    timeout: 20_000,
  })
  return { status, stdout, stderr }
}
const version = { status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' }
const cache = () => join(config, 'compiled.bin')
/** Writes a cache of other code, which V8 accepts: the source is as long, and has the digest that belongs to it. */
function forge(path: string): void {
  const script = `
    require('node:v8').setFlagsFromString('--interrupt-budget=600000')
    const { createHash } = require('node:crypto')
    const { readFileSync, writeFileSync } = require('node:fs')
    const [program, path] = process.argv.slice(1)
    const source = require('node:module').wrap(readFileSync(program, 'utf8'))
    const other = '(function () { console.log("forged") })'.padEnd(source.length)
    const code = new (require('node:vm').Script)(other, { filename: program }).createCachedData()
    const { arch, platform, version, versions } = process
    const digest = createHash('sha256').update([version, versions.v8, platform, arch].join()).update(source).update(code).digest()
    writeFileSync(path, Buffer.concat([digest, code]), { mode: 0o600 })`
  execFileSync(process.execPath, ['-e', script, join(folder, 'bundle/program.cjs'), path])
}
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

  it('does not run another file of the user that a link gives the name of the cache', () => {
    run('--version')
    const other = join(config, 'downloaded')
    for (const link of [symlinkSync, linkSync]) {
      renameSync(cache(), other)
      link(other, cache())
      const before = statSync(other).ino
      expect(run('--version')).toEqual(version)
      expect(written()).not.toBe(before)
    }
  })

  it('does not run what another file of the user says, wherever it came from', () => {
    forge(cache())
    // So forged code would be run.
    expect(run('--version').stdout).toBe('forged\n')
    chmodSync(cache(), 0o644)
    expect(run('--version')).toEqual(version)

    forge(cache())
    chmodSync(config, 0o777)
    expect(run('--version')).toEqual(version)
  })

  it('keeps nothing in a folder that others can write to', () => {
    chmodSync(config, 0o770)
    expect(run('--version')).toEqual(version)
    expect(readdirSync(config)).toEqual([])
  })

  it('does not look below the folder in which it is started', () => {
    const below = join(folder, '.config/tidenet')
    mkdirSync(below, { recursive: true, mode: 0o700 })
    forge(join(below, 'compiled.bin'))
    for (const more of [{ HOME: '' }, { XDG_CONFIG_HOME: '.config' }, { TIDENET_CONFIG: '.config/tidenet' }])
      expect(runWith(more, '--version')).toEqual(version)
  })

  it('does not wait for a pipe or read a device in the place of its cache', () => {
    execFileSync('mkfifo', [cache()])
    expect(run('--version')).toEqual(version)
    rmSync(cache(), { force: true })
    symlinkSync('/dev/zero', cache())
    expect(run('--version')).toEqual(version)
  })

  it('leaves no draft of a cache that it cannot put in place', () => {
    mkdirSync(join(cache(), 'sub'), { recursive: true })
    expect(run('--version')).toEqual(version)
    expect(readdirSync(config)).toEqual(['compiled.bin'])
  })

  it('runs for a user without a home', () => {
    const script = `require('node:os').homedir = () => { throw new Error('no home') }
      require('node:module').syncBuiltinESMExports()
      import(${JSON.stringify(join(folder, 'bundle/main.js'))})`
    const { TIDENET_CONFIG, XDG_CONFIG_HOME, ...env } = process.env
    const args = ['-e', script, 'tidenet', '--version']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 20_000 })
    expect({ status, stdout, stderr }).toEqual(version)
  })
})
