import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type Docker from 'dockerode'
import type { ProbeState } from '../driver.ts'
import { bounds, LABEL } from './container.ts'
import { within } from './greet.ts'
import { moveLayer, upperOf } from './layers.ts'
import { demultiplexed } from './streams.ts'

const TEST = { cpu: 0.5, memory: 64 * 1024 * 1024 }
const PIDS = 64
const RUN_WITHIN = 30_000

/** What a program finds inside of a container with limits: the proof of them, where an engine's own word is none. */
export interface Findings {
  memory: string
  cpu: string
  pids: string
  capabilities: string
  privileges: string
  seccomp: string
  /** First line of the map of accounts: `0 0 4294967295` when the container's root is the machine's. */
  users: string
  /** Whether the kernel's settings can be written. */
  kernel: string
  /** Whether programs can make namespaces of their own: `open`, `closed`, `unknown`. */
  namespaces: string
  [more: string]: string
}

const LOOK = `first() { for f in "$@"; do if [ -r "$f" ]; then read -r line < "$f"; echo "$line"; return; fi; done; echo absent; }
status() { while read -r key value; do [ "$key" = "$1:" ] && echo "$value"; done < /proc/self/status; }
echo "memory=$(first /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes)"
echo "cpu=$(first /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu/cpu.cfs_quota_us)"
echo "pids=$(first /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max)"
echo "capabilities=$(status CapEff)"
echo "privileges=$(status NoNewPrivs)"
echo "seccomp=$(status Seccomp)"
echo "users=$(first /proc/self/uid_map)"
kernel=denied
for f in /proc/sys/kernel/core_pattern /proc/sys/vm/panic_on_oom; do (exec 3>>"$f") 2>/dev/null && kernel=open; done
echo "kernel=$kernel"
if ! command -v unshare >/dev/null; then echo namespaces=unknown; elif unshare -U true 2>/dev/null; then echo namespaces=open; else echo namespaces=closed; fi
`

/** On what it is tried out, and by whom: labels tell what a killed process left. */
export interface Bench {
  docker: Docker
  image: string
  by: { installation: string; name: string }
}

/** Runs a script in a throw-away container and gives the `name=value` lines that it writes. */
async function inContainer(
  { docker, image, by }: Bench,
  script: string,
  more: Docker.HostConfig = {},
  prepare: (container: Docker.Container) => Promise<void> = async () => {},
): Promise<Record<string, string>> {
  const container = await docker.createContainer({
    Image: image,
    Entrypoint: [],
    Cmd: ['/bin/sh', '-c', script],
    Labels: { 'tidenet.test': 'yes', [LABEL.installation]: by.installation, [LABEL.workspace]: by.name },
    HostConfig: { ...bounds(TEST, PIDS), NetworkMode: 'none', ...more },
  })
  try {
    await prepare(container)
    await container.start()
    await within(RUN_WITHIN, container.wait())
    const output = demultiplexed((await container.logs({ stdout: true, stderr: false })) as Buffer)
    return Object.fromEntries(
      output
        .split('\n')
        .map((line) => /^(\w+)=(.*)$/.exec(line.trim()))
        .filter((match) => match !== null)
        .map(([, key = '', value = '']) => [key, value.trim()]),
    )
  } finally {
    await container.remove({ force: true }).catch(() => {})
  }
}

/** Tries the limits out. @throws Error when the engine does not even run a program */
export const look = async (bench: Bench): Promise<Findings> => (await inContainer(bench, LOOK)) as Findings

/** What the findings mean for selling. */
export function judge(found: Findings): { state: ProbeState; reason: string } {
  const holds =
    found.memory === String(TEST.memory) && /^50000( 100000)?$/.test(found.cpu) && found.pids === String(PIDS)
  const apart =
    /^0+$/.test(found.capabilities) && found.privileges === '1' && found.seccomp !== '0' && found.kernel === 'denied'
  if (!apart)
    return {
      state: 'unsafe',
      reason: `programs would not be kept apart from this machine (capabilities ${found.capabilities}, no new privileges ${found.privileges}, seccomp ${found.seccomp}, settings of the kernel ${found.kernel})`,
    }
  if (!holds)
    return {
      state: 'limits-unenforced',
      reason: `programs would run apart from this machine, but without limits (memory ${found.memory}, CPU ${found.cpu}, processes ${found.pids})`,
    }
  return { state: 'ready', reason: '' }
}

/** Whether a folder of this machine is the same one to the engine, and a full disk in it says so. */
export async function diskRefuses(bench: Bench, folder: string): Promise<boolean> {
  writeFileSync(join(folder, 'seen'), '')
  const found = await inContainer(
    bench,
    `[ -e /data/seen ] && echo seen=yes; dd if=/dev/zero of=/data/fill bs=65536 count=512 2>/dev/null && echo full=no || echo full=yes`,
    { Mounts: [{ Type: 'bind', Source: folder, Target: '/data' }], CapAdd: ['DAC_OVERRIDE'] },
  )
  return found.seen === 'yes' && found.full === 'yes'
}

/** Whether also what a program changes in its image can be put onto its disk, and is refused there when that is full. */
export async function layerRefuses(bench: Bench, own: string): Promise<boolean> {
  try {
    const found = await inContainer(
      bench,
      `echo seen > /seen; dd if=/dev/zero of=/fill bs=65536 count=512 2>/dev/null && echo full=no || echo full=yes`,
      { CapAdd: ['DAC_OVERRIDE'] },
      async (container) => {
        const upper = upperOf(await container.inspect())
        if (!upper) throw new Error('the engine does not say where it writes')
        // What was tried out before has filled it.
        rmSync(join(own, '0'), { recursive: true, force: true })
        await moveLayer(upper, own)
      },
    )
    return found.full === 'yes' && existsSync(join(own, 'layer/diff/seen'))
  } catch {
    return false
  }
}

/** Whether a container in this network is kept away from what this machine listens at, at every address of its own. */
export async function machineIsClosed(bench: Bench, network: string): Promise<boolean> {
  let reached = false
  const listener = createServer((socket) => {
    reached = true
    socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(0, '0.0.0.0', resolve)
  })
  try {
    const info = (await bench.docker.getNetwork(network).inspect()) as { IPAM?: { Config?: { Gateway?: string }[] } }
    const gateway = info.IPAM?.Config?.[0]?.Gateway
    const { port } = listener.address() as { port: number }
    if (!gateway) return false
    const found = await inContainer(
      bench,
      `if command -v nc >/dev/null; then echo tool=nc; nc -w 2 ${gateway} ${port} </dev/null
elif command -v bash >/dev/null; then echo tool=bash; timeout 2 bash -c 'exec 3<>/dev/tcp/${gateway}/${port}'
else echo tool=none; fi; exit 0`,
      { NetworkMode: network },
    )
    return !reached && (found.tool === 'nc' || found.tool === 'bash')
  } finally {
    await new Promise((resolve) => listener.close(resolve))
  }
}
