// What the tests need of the machine, installed where it is missing and we may.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ToolError } from '../build.mjs'

/**
 * Finds Chromium and a font with Chinese characters; installs what is missing where we may.
 * @param name Debian's package: the headless shell is the same engine without windows and uses a third less processor time
 * @returns path of the program
 */
export function ensureBrowser(name = 'chromium-headless-shell') {
  const path = process.env.TIDENET_CHROMIUM ?? `/usr/bin/${name}`
  const missing = existsSync(path) ? [] : [name]
  const fonts = spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' })
  if (!fonts.stdout?.trim()) missing.push('fonts-wqy-microhei')
  ensurePackages(missing, 'browser', ', or set TIDENET_CHROMIUM to the path of a Chromium.')
  return path
}

/** Installs what the pages tell people to type, where it is missing and we may. */
export function ensurePrograms() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const isThere = (program) => folders.some((folder) => existsSync(join(folder, program)))
  const packages = { curl: 'curl', shasum: 'perl', script: 'bsdutils' }
  const missing = Object.keys(packages).filter((program) => !isThere(program))
  ensurePackages(
    missing.map((program) => packages[program]),
    'network',
    '.',
  )
}

function ensurePackages(missing, tests, end) {
  if (missing.length === 0) return
  const names = missing.join(' and ')
  const advice = `The ${tests} tests need ${names}. Install them (Debian: apt-get install ${missing.join(' ')})${end}`
  if (!mayInstall() || !aptInstall(missing)) throw new ToolError(advice)
}

function isRoot() {
  return process.getuid?.() === 0
}
export function mayInstall() {
  return isRoot() || spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
}

/** Debian packages without recommendations; the lists are renewed when they are too old to install from. */
export function aptInstall(packages) {
  console.log(`Installing ${packages.join(', ')}.`)
  const apt = (...args) => {
    const quiet = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', '-y', ...args]
    const [command, ...rest] = isRoot() ? quiet : ['sudo', '-n', ...quiet]
    return spawnSync(command, rest, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  }
  const install = () => apt('install', '--no-install-recommends', ...packages)
  return install() || (apt('update') && install())
}
