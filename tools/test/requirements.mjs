// System packages that the tests need; missing ones are installed if permissions allow it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ToolError } from '../build.mjs'

/**
 * Finds Chromium and a font with Chinese characters, and installs them if missing.
 * @param name Debian package; the headless shell is the same engine without windows and uses a third less CPU time
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

/**
 * Installs programs that tests run, if missing.
 * @param tests name of the stage
 * @param packages the Debian package of each program
 */
export function ensurePrograms(tests, packages) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const isInstalled = (program) => folders.some((folder) => existsSync(join(folder, program)))
  const missing = Object.keys(packages).filter((program) => !isInstalled(program))
  ensurePackages(
    missing.map((program) => packages[program]),
    tests,
    '.',
  )
}

/**
 * Installs files that are not in PATH, if missing.
 * @param packages the Debian packages of each file
 */
export function ensureFiles(tests, packages) {
  const missing = Object.keys(packages).filter((path) => !existsSync(path))
  ensurePackages(
    missing.flatMap((path) => packages[path]),
    tests,
    '.',
  )
}

function ensurePackages(missing, tests, end) {
  if (missing.length === 0) return
  const names = missing.join(' and ')
  const advice = `The ${tests} tests need ${names}. Install them (Debian: apt-get install ${missing.join(' ')})${end}`
  if (!mayInstall() || !aptInstall(missing)) throw new ToolError(advice)
}

export function isRoot() {
  return process.getuid?.() === 0
}
export function mayInstall() {
  return isRoot() || spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
}

/** Installs Debian packages without recommendations; updates the package lists if they are out of date. */
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
