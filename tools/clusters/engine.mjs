// The container engine for tests: Debian's Podman, which needs no daemon. `node tools/clusters/engine.mjs` installs it.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Podman, a runtime for cgroups v1 and v2, tools for networks and disks, and busybox as a root file system without a registry. */
export const ENGINE_PACKAGES = [
  ...['podman', 'runc', 'netavark', 'aardvark-dns', 'conmon', 'catatonit'],
  ...['iptables', 'nftables', 'iproute2', 'e2fsprogs', 'mount', 'busybox-static'],
]

const succeeds = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** Whether everything is installed; busybox must be statically linked to serve as a root file system. */
export const hasEngine = () =>
  isRootOnLinux() &&
  ['podman', 'runc', 'conmon', 'nft', 'iptables', 'ip', 'mkfs.ext4', 'mount'].every((name) =>
    succeeds('sh', '-c', `command -v ${name}`),
  ) &&
  ['netavark', 'aardvark-dns'].every((name) =>
    ['/usr/lib/podman', '/usr/libexec/podman'].some((folder) => existsSync(join(folder, name))),
  ) &&
  existsSync('/bin/busybox') &&
  !succeeds('ldd', '/bin/busybox')

const isRootOnLinux = () => process.platform === 'linux' && process.getuid?.() === 0

/** Removes containers, networks and disks of killed tests, in folders whose process no longer exists. */
export function sweepEngines() {
  if (!isRootOnLinux()) return
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith('tidenet-engine-'))) {
    const data = join(tmpdir(), name)
    const folder = join(data, 'podman')
    const [service = 0, owner = 0] = (readQuietly(join(folder, 'engine.pid')) ?? '').split(' ').map(Number)
    if (owner > 0 && existsSync(`/proc/${owner}`)) continue
    if (service > 1 && readQuietly(`/proc/${service}/cmdline`)?.includes(folder)) process.kill(service)
    const bridges = bridgesIn(join(folder, 'networks'))
    const settings = join(folder, 'containers.conf')
    if (existsSync(settings)) {
      const own = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
      const how = ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs']
      const env = { ...process.env, CONTAINERS_CONF: settings }
      for (const args of [
        ['rm', '--all', '--force', '--time', '0'],
        ['network', 'prune', '--force'],
      ])
        spawnSync('podman', [...own, ...how, ...args], { stdio: 'ignore', env })
    }
    for (const bridge of bridges) {
      succeeds('ip', 'link', 'del', bridge)
      succeeds('nft', 'delete', 'element', 'inet', 'tidenet', 'same', `{ "${bridge}" . "${bridge}" }`)
    }
    const mounts = (readQuietly('/proc/self/mounts') ?? '')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '')
      .filter((point) => point.startsWith(`${data}/`))
    for (const point of mounts.reverse()) succeeds('umount', point)
    rmSync(data, { recursive: true, force: true })
    console.log(`Removed the leftovers of a killed test in ${data}.`)
  }
}

/** The bridges of the networks in a folder. */
const bridgesIn = (folder) =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .map((name) => /"network_interface":\s*"(td[\da-f]+)"/.exec(readQuietly(join(folder, name)) ?? '')?.[1])
    .filter((name) => name !== undefined)

function readQuietly(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Installs the engine with `install(packages)` if it is missing; returns false if that fails. */
export function ensureEngine(install) {
  if (hasEngine()) return true
  return isRootOnLinux() && install(ENGINE_PACKAGES) && hasEngine()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', '-y', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  const install = (packages) => {
    const now = () => apt('install', '--no-install-recommends', ...packages)
    return now() || (apt('update') && now())
  }
  const there = ensureEngine(install)
  console.log(there ? 'Podman is ready for the tests.' : 'No engine could be installed: it needs Debian and root.')
  process.exitCode = there ? 0 : 1
}
