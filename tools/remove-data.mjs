// npm run remove-data: deletes the data folder of `npm start`, with what a killed server left running or mounted in it.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { usage } from './usage.mjs'

/**
 * The mount points below a folder, the innermost first.
 * @param {string} mounts text of /proc/self/mounts
 * @param {string} folder absolute
 * @returns {string[]}
 */
export const mountsBelow = (mounts, folder) =>
  mounts
    .split('\n')
    .map((line) =>
      (line.split(' ')[1] ?? '').replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))),
    )
    .filter((point) => point.startsWith(`${folder}/`))
    .reverse()

/** The process that uses the folder, see `packages/testnet/src/data-lock.ts`; undefined if none. */
function holderOf(folder) {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.lock')))
    try {
      const { pid } = JSON.parse(readFileSync(join(folder, name), 'utf8')).holder
      process.kill(pid, 0)
      return pid
    } catch {
      // The process has ended, or the lock is incomplete.
    }
  return undefined
}

/**
 * Deletes a data folder.
 * @param {string} folder absolute
 * @returns {string | undefined} why it was not deleted
 */
export function removeData(folder) {
  if (!existsSync(folder)) return undefined
  const holder = holderOf(folder)
  if (holder) return `${folder} is in use by process ${holder}. Stop it first.`
  const podman = join(folder, 'clusters', 'podman')
  if (existsSync(join(podman, 'storage'))) {
    const places = ['--root', join(podman, 'storage'), '--runroot', join(podman, 'run')]
    const env = { ...process.env, CONTAINERS_CONF: join(podman, 'containers.conf') }
    const { error, status, stderr } = spawnSync('podman', [...places, 'rm', '--all', '--force', '--time', '0'], {
      env,
      encoding: 'utf8',
    })
    if (error || status !== 0) return `Podman did not remove its containers: ${error?.message ?? stderr.trim()}`
  }
  const mounted = () =>
    existsSync('/proc/self/mounts') ? mountsBelow(readFileSync('/proc/self/mounts', 'utf8'), folder) : []
  for (const point of mounted()) spawnSync('umount', [point])
  const [left] = mounted()
  // What is deleted through a mount could belong to others.
  if (left) return `${left} is still mounted. Stop what uses it, or run this command as root.`
  rmSync(folder, { recursive: true })
  return undefined
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  usage(
    'npm run remove-data -- --yes: deletes the data folder (TIDENET_DATA, otherwise .tidenet) with all accounts, files and containers. Stop `npm start` before.',
  )
  const folder = resolve(process.env.TIDENET_DATA || '.tidenet')
  if (!process.argv.includes('--yes')) {
    console.error(
      `This deletes ${folder} with everything in it. Stop npm start, then run: npm run remove-data -- --yes`,
    )
    process.exit(1)
  }
  const problem = removeData(folder)
  console.log(problem ?? `${folder} is deleted.`)
  process.exitCode = problem ? 1 : 0
}
