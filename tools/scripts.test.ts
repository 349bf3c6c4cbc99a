import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import config from '../vitest.config.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const scripts = Object.entries(JSON.parse(read('package.json')).scripts as Record<string, string>)
const node = (args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
  spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', timeout: 60_000, ...options })

describe('a script of package.json', () => {
  it.each(scripts.filter(([, line]) => line.startsWith('node ')))('%s starts and prints its usage', (_, line) => {
    const { status, stdout, stderr } = node([line.split(' ')[1] as string, '--help'])
    expect({ status, stderr: stderr.replace(/^.*Warning.*$/gm, '').trim() }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^npm /)
  })

  it.each(scripts.filter(([, line]) => line.includes('vitest run')))('%s names existing tests', (_, line) => {
    const projects = (config.test?.projects ?? []) as { test: { name: string } }[]
    const named = [...line.matchAll(/--project (\w+)/g)].map(([, name]) => name)
    expect(named.length).toBeGreaterThan(0)
    for (const name of named) expect(projects.map(({ test }) => test.name)).toContain(name)
  })

  it('runs an installed program or a script of the repository', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
    const programs = { vitest: 'vitest', playwright: '@playwright/test' }
    for (const [, line] of scripts) {
      const program = line.split(' ')[0] as keyof typeof programs
      expect(['node', 'npm'].includes(program) || programs[program] in devDependencies).toBe(true)
    }
  })
})

describe('a benchmark', () => {
  const benchmarks = readdirSync(join(root, 'bench')).filter((name) => name.endsWith('.mjs'))
  it.each(benchmarks)('%s imports only existing exports of the product', async (name) => {
    for (const [, names, path] of read(`bench/${name}`).matchAll(/import \{([^}]+)\} from '(\.\.\/apps\/[^']+)'/g)) {
      const exported = Object.keys(await import(join(root, 'bench', path as string)))
      const imported = (names as string).split(',').map((each) => each.trim().split(' as ')[0])
      expect(exported).toEqual(expect.arrayContaining(imported.filter(Boolean)))
    }
  })

  it.each(benchmarks)('%s loads existing fixtures', (name) => {
    for (const [, path] of read(`bench/${name}`).matchAll(/loadFixture\('([^']+)'\)/g))
      expect(existsSync(join(root, path as string))).toBe(true)
  })
})

describe('Lighthouse, which is installed separately,', () => {
  it('has a lock file that matches its package.json, without a registry', () => {
    const cache = mkdtempSync(join(tmpdir(), 'tidenet-npm-'))
    const { status, stderr } = spawnSync(
      'npm',
      ['ci', '--dry-run', '--offline', '--cache', cache, '--no-audit', '--no-fund'],
      { cwd: join(root, 'tools/lighthouse'), encoding: 'utf8', timeout: 60_000, shell: process.platform === 'win32' },
    )
    rmSync(cache, { recursive: true, force: true })
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
  })

  it.each(['package-lock.json', 'tools/lighthouse/package-lock.json'])('%s names no registry', (path) => {
    expect(read(path)).not.toContain('"resolved": "http')
  })
})
