import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { release } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type Docker from 'dockerode'
import type { ProbeState } from '../driver.ts'
import { withTimeout } from './connection.ts'
import { LABEL, limits } from './container.ts'
import { moveLayer, upperOf } from './layers.ts'
import { demultiplex } from './streams.ts'
import { tryOrUndefined } from './try-or-undefined.ts'

const TEST = { cpu: 0.5, memory: 64 * 1024 * 1024 }
/** A sandbox needs some for itself. */
const PIDS = 512
const RUN_TIMEOUT_MS = 30_000
const POLL_INTERVAL_MS = 100

/** The limits as a program inside of a container sees them: an engine may report limits that it does not enforce. */
export interface Findings {
  memory: string
  cpu: string
  pids: string
  capabilities: string
  privileges: string
  seccomp: string
  /** First line of the uid map: `0 0 4294967295` if the container's root is the machine's root. */
  users: string
  /** Whether kernel settings are writable: `denied`, `open`, or `own` if they are those of a kernel of its own, not this machine's. */
  kernel: string
  /** Whether programs can create namespaces: `open`, `closed`, `unknown`. */
  namespaces: string
  [more: string]: string
}

const READ_LIMITS = `first() { for f in "$@"; do if [ -r "$f" ]; then read -r line < "$f"; echo "$line"; return; fi; done; echo absent; }
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
echo "release=$(first /proc/sys/kernel/osrelease)"
if ! command -v unshare >/dev/null; then echo namespaces=unknown; elif unshare -U true 2>/dev/null; then echo namespaces=open; else echo namespaces=closed; fi
`

/** The tested engine. `by` is put into labels, so that containers of a killed process can be removed later. */
export interface TestTarget {
  docker: Docker
  image: string
  by: { installation: string; name: string }
}

/** Runs a script in a temporary container and parses the `name=value` lines of its output. */
async function inContainer(
  { docker, image, by }: TestTarget,
  script: string,
  more: Docker.HostConfig = {},
  prepare: (container: Docker.Container) => Promise<void> = async () => {},
  during: (container: Docker.Container) => Promise<void> = async () => {},
): Promise<Record<string, string>> {
  const container = await docker.createContainer({
    Image: image,
    Entrypoint: [],
    Cmd: ['/bin/sh', '-c', script],
    Labels: { 'tidenet.test': 'yes', [LABEL.installation]: by.installation, [LABEL.workspace]: by.name },
    HostConfig: { ...limits(TEST, PIDS), NetworkMode: 'none', ...more },
  })
  try {
    await prepare(container)
    await container.start()
    await during(container)
    await withTimeout(RUN_TIMEOUT_MS, container.wait())
    return await linesOf(container)
  } finally {
    await container.remove({ force: true }).catch(() => {})
  }
}

/** The `name=value` lines of its output. */
async function linesOf(container: Docker.Container): Promise<Record<string, string>> {
  const output = demultiplex((await container.logs({ stdout: true, stderr: false })) as Buffer)
  return Object.fromEntries(
    output
      .split('\n')
      .map((line) => /^(\w+)=(.*)$/.exec(line.trim()))
      .filter((match) => match !== null)
      .map(([, key = '', value = '']) => [key, value.trim()]),
  )
}

/** Reads the limits of a container, from the inside and outside. @throws Error if the engine cannot run a program */
export async function testLimits(target: TestTarget): Promise<Findings> {
  let outside: Record<string, string> | undefined
  const inside = await inContainer(target, `${READ_LIMITS}sleep 60`, {}, undefined, async (container) => {
    outside = await limitsOutside(container)
    for (const end = Date.now() + RUN_TIMEOUT_MS; !(await linesOf(container)).namespaces; await wait(POLL_INTERVAL_MS))
      if (Date.now() > end) break
    await container.kill().catch(() => {})
  })
  // A sandbox shows its own kernel. What holds then is what this machine's kernel enforces for the sandbox.
  const isSandbox = outside !== undefined && inside.release !== release()
  return { ...inside, ...(isSandbox && { ...outside, kernel: 'own' }) } as Findings
}

/** The limits of a container's first process on this machine; undefined if the container is on another machine. */
async function limitsOutside(container: Docker.Container): Promise<Record<string, string> | undefined> {
  const { State } = await container.inspect()
  const read = (path: string) => tryOrUndefined(() => readFileSync(path, 'utf8').trim())
  const groups = read(`/proc/${State.Pid}/cgroup`)
  if (!groups?.includes(container.id)) return undefined
  const folderOf = (controller: string) => {
    const line = groups.split('\n').find((each) => each.split(':')[1]?.split(',').includes(controller))
    return line
      ? join('/sys/fs/cgroup', controller, line.split(':').slice(2).join(':'))
      : join('/sys/fs/cgroup', /^0::(.*)$/m.exec(groups)?.[1] ?? '')
  }
  const first = (controller: string, ...names: string[]) =>
    names.map((name) => read(join(folderOf(controller), name))).find((value) => value !== undefined) ?? 'absent'
  return {
    memory: first('memory', 'memory.max', 'memory.limit_in_bytes'),
    cpu: first('cpu', 'cpu.max', 'cpu.cfs_quota_us'),
    pids: first('pids', 'pids.max'),
    seccomp: /^Seccomp:\s*(\d)/m.exec(read(`/proc/${State.Pid}/status`) ?? '')?.[1] ?? '0',
  }
}

/** Whether the engine is safe and its limits hold. */
export function assess(found: Findings): { state: ProbeState; reason: string } {
  const holds =
    found.memory === String(TEST.memory) && /^50000( 100000)?$/.test(found.cpu) && found.pids === String(PIDS)
  const isolated =
    /^0+$/.test(found.capabilities) && found.privileges === '1' && found.seccomp !== '0' && found.kernel !== 'open'
  if (!isolated)
    return {
      state: 'unsafe',
      reason: `containers would not be isolated from this machine (capabilities ${found.capabilities}, no new privileges ${found.privileges}, seccomp ${found.seccomp}, kernel settings ${found.kernel})`,
    }
  if (!holds)
    return {
      state: 'limits-unenforced',
      reason: `containers would be isolated, but without limits (memory ${found.memory}, CPU ${found.cpu}, processes ${found.pids})`,
    }
  return { state: 'ready', reason: '' }
}

/** Whether the engine mounts this folder of this machine, and writes beyond the disk's size fail. */
export async function enforcesDisk(target: TestTarget, folder: string): Promise<boolean> {
  writeFileSync(join(folder, 'seen'), '')
  const found = await inContainer(
    target,
    `[ -e /data/seen ] && echo seen=yes; dd if=/dev/zero of=/data/fill bs=65536 count=512 2>/dev/null && echo full=no || echo full=yes`,
    { Mounts: [{ Type: 'bind', Source: folder, Target: '/data' }], CapAdd: ['DAC_OVERRIDE'] },
  )
  return found.seen === 'yes' && found.full === 'yes'
}

/** Whether the writable layer can be moved to the disk, and writes beyond the disk's size fail there. */
export async function enforcesLayer(target: TestTarget, own: string): Promise<boolean> {
  try {
    const found = await inContainer(
      target,
      `echo seen > /seen; dd if=/dev/zero of=/fill bs=65536 count=512 2>/dev/null && echo full=no || echo full=yes`,
      { CapAdd: ['DAC_OVERRIDE'] },
      async (container) => {
        const upper = upperOf(await container.inspect())
        if (!upper) throw new Error('the engine does not report the folder of the writable layer')
        // The test before has filled the disk.
        rmSync(join(own, '0'), { recursive: true, force: true })
        await moveLayer(upper, own)
      },
    )
    return found.full === 'yes' && existsSync(join(own, 'layer/diff/seen'))
  } catch {
    return false
  }
}

/** Whether a container in this network cannot connect to a port of this machine. */
export async function isMachineIsolated(target: TestTarget, network: string): Promise<boolean> {
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
    const info = (await target.docker.getNetwork(network).inspect()) as { IPAM?: { Config?: { Gateway?: string }[] } }
    const gateway = info.IPAM?.Config?.[0]?.Gateway
    const { port } = listener.address() as { port: number }
    if (!gateway) return false
    const found = await inContainer(
      target,
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
