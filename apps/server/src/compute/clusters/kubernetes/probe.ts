import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { V1Node, V1Pod } from '@kubernetes/client-node'
import { CLOSED_PORTS } from '../closed-ports.ts'
import { NOT_APART, type Probe, type ProbeState } from '../driver.ts'
import { ignoreNotFound, messageOf } from './api.ts'
import * as manifests from './manifests.ts'
import type { Parts } from './parts.ts'
import * as pods from './pods.ts'
import { candidateOf, firstWithKernel, gvisorClasses } from './runtimes.ts'
import { gpusOf, runsOn } from './settings.ts'
import { workspaceMethods } from './workspaces.ts'

/** Tries what is sold: a pod with limits and a disk in a namespace of a workspace, and whether another namespace reaches it. */

const TEST = { cpu: 0.2, memory: 64 * 1024 ** 2, storage: 64 * 1024 ** 2 }
const START_TIMEOUT_MS = 120_000
/** Of a runtime class that may be there without its program. */
const CLASS_TIMEOUT_MS = 45_000
const POLL_INTERVAL_MS = 500
/** Where the first pod listens. */
const PORT = 9999
const LISTEN = `{ command -v nc >/dev/null && while :; do nc -l -p ${PORT} </dev/null; done; } || exec perl -MIO::Socket::INET -e '
$server = IO::Socket::INET->new(LocalPort => ${PORT}, Listen => 9, ReuseAddr => 1) or die; while (1) { $server->accept }'`

/** The limits as a program sees them, and whether it can write to its disk. */
const LOOK = `first() { for f in "$@"; do if [ -r "$f" ]; then read -r line < "$f"; echo "$line"; return; fi; done; echo absent; }
status() { while read -r key value; do [ "$key" = "$1:" ] && echo "$value"; done < /proc/self/status; }
echo "memory=$(first /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes)"
echo "cpu=$(first /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu/cpu.cfs_quota_us)"
echo "release=$(first /proc/sys/kernel/osrelease)"
echo "capabilities=$(status CapEff)"
echo "privileges=$(status NoNewPrivs)"
echo "seccomp=$(status Seccomp)"
(echo test > ${pods.DISK}/test) 2>/dev/null && echo disk=yes || echo disk=no
kernel=denied
for f in /proc/sys/kernel/core_pattern /proc/sys/vm/panic_on_oom; do (exec 3>>"$f") 2>/dev/null && kernel=open; done
echo "kernel=$kernel"
echo end=yes
`

/** Connects to an address and says whether it was reached; a refused connection was not kept away by a policy either. */
const reach = (address: string) => `if command -v nc >/dev/null; then
  nc -w 3 ${address} ${PORT} </dev/null >/dev/null 2>&1 && echo reached=yes || echo reached=no
elif command -v bash >/dev/null; then
  timeout 3 bash -c 'exec 3<>/dev/tcp/${address}/${PORT}' 2>/dev/null && echo reached=yes || echo reached=no
else echo reached=unknown; fi
echo end=yes
`

type Found = Pick<Probe, 'state' | 'reason' | 'facts'>

export async function probeCluster(parts: Parts): Promise<Probe> {
  const { api, options } = parts
  const what = options.file || 'the default kubeconfig'
  const tried: { what: string; result: string }[] = []
  const result = ({ state, reason, facts }: Found, result = reason || state): Probe => ({
    ...{ state, reason, facts },
    ...(state === 'ready' && { traffic: { megabits: 0, connections: 0, closedPorts: CLOSED_PORTS } }),
    tried: [...tried, { what, result }],
  })
  try {
    const { core, version } = api()
    const { gitVersion } = await version.getCode()
    const { items } = await core.listNode()
    const ready = items.filter(isReady)
    const nodes = ready.filter((node) => runsOn(node, options))
    const gpus = gpusOf(ready, options)
    const facts: Record<string, string> = {
      engine: `Kubernetes ${gitVersion}`,
      nodes: String(nodes.length),
      storage: `metered, storage class ${options.storageClass || 'of the cluster (default)'}`,
      security: options.podSecurity,
      processes: await processLimit(parts, nodes),
      gpus: `${gpus.all}${options.sellsGpus || gpus.all === 0 ? '' : ' (not sold)'}`,
    }
    if (nodes.length === 0) return result({ state: 'absent', reason: 'no node is ready for programs', facts })
    const classes = options.runtimeClass === '' ? await gvisorClasses(api()) : []
    const candidates = classes
      .map((one) => candidateOf(one, options.nodes))
      .filter((one) => nodes.some((node) => runsOn(node, { ...options, ...one })))
    const found = await firstWithKernel(candidates, options.runtimeClass, async (runtimeClass) => {
      if (runtimeClass === options.runtimeClass) return tryPods(parts, facts, options)
      const one = await tryPods(parts, facts, { ...options, runtimeClass }, CLASS_TIMEOUT_MS).catch((error) => ({
        ...{ state: 'absent' as const, reason: messageOf(error), facts },
      }))
      tried.push({
        what: `runtime class ${runtimeClass}`,
        result: one.reason || `${one.state}, kernel ${one.facts.kernel}`,
      })
      return one
    })
    return { ...result(found), ...(options.sellsGpus && { gpus }) }
  } catch (error) {
    return result({ state: 'absent', reason: messageOf(error), facts: {} })
  }
}

export const isReady = ({ status }: V1Node): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false

/** The kubelet's limit of processes of a pod, which pods cannot set themselves. */
async function processLimit({ api }: Parts, nodes: readonly V1Node[]): Promise<string> {
  const limits = await Promise.all(
    nodes.map(async ({ metadata }) => {
      const text = await api()
        .core.connectGetNodeProxyWithPath({ name: metadata?.name ?? '', path: 'configz' })
        .catch(() => '{}')
      const config = (typeof text === 'string' ? JSON.parse(text) : text) as {
        kubeletconfig?: { podPidsLimit?: number }
      }
      return config.kubeletconfig?.podPidsLimit ?? -1
    }),
  )
  return limits.every((limit) => limit > 0) ? `at most ${Math.max(...limits)}` : 'not limited'
}

async function tryPods(
  parts: Parts,
  facts: Record<string, string>,
  options: Parts['options'],
  timeoutMs = START_TIMEOUT_MS,
): Promise<Found> {
  const { api, installation } = parts
  const { createWorkspace } = workspaceMethods(parts)
  const id = () => `probe-${randomBytes(4).toString('hex')}`
  const [mine, other] = [id(), id()]
  const { core } = api()
  try {
    for (const each of [mine, other]) await createWorkspace({ id: each, owner: 'probe', size: TEST })
    await core.createNamespacedPersistentVolumeClaim({
      namespace: manifests.namespaceOf(installation, mine),
      body: pods.claim('disk', TEST, options),
    })
    const run = (workspace: string, script: string, disk: boolean) =>
      runPod(
        parts,
        pods.probePod(options, script, { ...TEST, disk }),
        manifests.namespaceOf(installation, workspace),
        timeoutMs,
      )
    const first = await run(mine, `${LOOK}${LISTEN}`, true)
    const found = assess(first.output, first.nodeKernel)
    if (found.state !== 'ready') return { ...found, facts: { ...facts, ...found.facts } }
    const { reached = 'unknown' } = (await run(other, reach(first.ip), false)).output
    const network = {
      no: 'a network policy for each workspace',
      yes: NOT_APART,
      unknown: 'a network policy for each workspace, not tested',
    }[reached as 'no' | 'yes' | 'unknown']
    const all = { ...facts, ...found.facts, network }
    if (reached === 'yes' && !options.openNetwork)
      return {
        state: 'unsafe',
        reason: 'workspaces would reach each other: the network of the cluster does not enforce network policies',
        facts: all,
      }
    return { state: 'ready', reason: '', facts: all }
  } finally {
    for (const each of [mine, other])
      await core.deleteNamespace({ name: manifests.namespaceOf(installation, each) }).catch(ignoreNotFound)
  }
}

/** Whether limits hold and programs are isolated, from what a program saw. */
export function assess(
  found: Record<string, string>,
  nodeKernel: string,
): { state: ProbeState; reason: string; facts: Record<string, string> } {
  const isOwn = found.release !== undefined && found.release !== nodeKernel
  const facts = { kernel: isOwn ? 'own' : 'shared' }
  const allowed = BigInt(`0x${found.capabilities || 'f'.repeat(16)}`)
  const isIsolated = isOwn || (found.seccomp !== '0' && found.kernel === 'denied')
  if (!isIsolated || found.privileges !== '1' || (allowed & ADMIN) !== 0n)
    return {
      state: 'unsafe',
      reason: `programs would not be isolated from their node (capabilities ${found.capabilities}, no new privileges ${found.privileges}, seccomp ${found.seccomp}, kernel settings ${found.kernel})`,
      facts,
    }
  if (found.disk !== 'yes') return { state: 'absent', reason: 'programs cannot write to their disk', facts }
  // A sandbox may not show the limits of its cgroup.
  const holds = isOwn || (found.memory === String(TEST.memory) && /^20000( 100000)?$/.test(found.cpu ?? ''))
  if (!holds)
    return {
      state: 'limits-unenforced',
      reason: `programs would run without limits (memory ${found.memory}, CPU ${found.cpu})`,
      facts,
    }
  return { state: 'ready', reason: '', facts }
}

/** CAP_NET_ADMIN, CAP_SYS_MODULE, CAP_SYS_RAWIO, CAP_SYS_PTRACE, CAP_SYS_ADMIN. */
const ADMIN = [12n, 16n, 17n, 19n, 21n].reduce((bits, bit) => bits | (1n << bit), 0n)

/** Starts a pod and reads the `name=value` lines of its output. @throws Error if it does not start in time */
async function runPod(
  { api }: Parts,
  body: V1Pod,
  namespace: string,
  timeoutMs: number,
): Promise<{ output: Record<string, string>; ip: string; nodeKernel: string }> {
  const { core } = api()
  await core.createNamespacedPod({ namespace, body })
  const name = body.metadata?.name ?? ''
  for (const end = Date.now() + timeoutMs; ; await wait(POLL_INTERVAL_MS)) {
    const pod = await core.readNamespacedPod({ namespace, name })
    const text = await core.readNamespacedPodLog({ namespace, name }).catch(() => '')
    const output = Object.fromEntries(
      [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value.trim()]),
    )
    if (output.end) {
      const node = await core.readNode({ name: pod.spec?.nodeName ?? '' })
      return { output, ip: pod.status?.podIP ?? '', nodeKernel: node.status?.nodeInfo?.kernelVersion ?? '' }
    }
    if (Date.now() > end) throw new Error(`a test pod did not run: ${reasonOf(pod)}`)
  }
}

function reasonOf({ status }: V1Pod): string {
  const waiting = status?.containerStatuses?.[0]?.state?.waiting
  const scheduled = status?.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False')
  return waiting?.message ?? waiting?.reason ?? scheduled?.message ?? status?.phase ?? 'unknown'
}
