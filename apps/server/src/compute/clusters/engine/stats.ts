import { readFileSync } from 'node:fs'
import type Docker from 'dockerode'
import { type LogLine, type Usage, writtenAt } from '../driver.ts'
import type { ReadyEngine } from './probe.ts'
import { framesOf } from './streams.ts'
import { tryOrUndefined } from './try-or-undefined.ts'

/** A container in a list of them. */
export interface Listed {
  id: string
  labels: Readonly<Record<string, string>>
  /** In the words of the engine, such as `running` or `exited`. */
  state: string
  /** Of a container that ended. */
  exitCode?: number
  /** Of a running container, if the engine reports it. */
  pid?: number
}

/** Usage without the disk. */
export type Stats = Omit<Usage, 'storage'>

/** Requests at the same time, for engines that report one container per request. */
const PARALLEL = 16

/** Containers with these labels, in one request. */
export async function listed({ docker, podman }: ReadyEngine, label: readonly string[]): Promise<Listed[]> {
  if (!podman) {
    const found = await docker.listContainers({ all: true, filters: { label: [...label] } })
    return found.map(({ Id, Labels, State, Status }) => {
      const [, code] = /^Exited \((\d+)\)/.exec(Status) ?? []
      return { id: Id, labels: Labels, state: State, ...(code && { exitCode: Number(code) }) }
    })
  }
  const filters = JSON.stringify({ label })
  const found = await ask<PodmanContainer[]>(docker, `containers/json?all=true&filters=${encodeURIComponent(filters)}`)
  return (found ?? []).map(({ Id, Labels, State, Exited, ExitCode, Pid }) => ({
    id: Id,
    labels: Labels ?? {},
    state: State,
    ...(Exited && { exitCode: ExitCode }),
    ...(Pid > 0 && { pid: Pid }),
  }))
}

interface PodmanContainer {
  Id: string
  Labels: Record<string, string> | null
  State: string
  Exited: boolean
  ExitCode: number
  Pid: number
}

interface PodmanStats {
  Error: unknown
  Stats: { ContainerID: string; CPUNano: number; MemUsage: number; NetInput: number; NetOutput: number }[] | null
}

/** The usage of running containers, by id; those that end meanwhile are missing. */
export async function statsOf(engine: ReadyEngine, running: readonly Listed[]): Promise<Map<string, Stats>> {
  if (running.length === 0) return new Map()
  const all = engine.podman ? await podmanStats(engine.docker, running).catch(() => undefined) : undefined
  return all ?? eachStats(engine.docker, running)
}

/** One request for all containers. Fails if one of them ends in the wrong moment. */
async function podmanStats(docker: Docker, running: readonly Listed[]): Promise<Map<string, Stats>> {
  const [only] = running.length === 1 ? running : []
  const { Error: failed, Stats: stats } = await ask<PodmanStats>(
    docker,
    `containers/stats?stream=false${only ? `&containers=${only.id}` : ''}`,
  )
  if (failed || !stats) throw new Error('the engine reported no usage')
  const pids = new Map(running.map(({ id, pid }) => [id, pid]))
  return new Map(
    stats
      .filter(({ ContainerID }) => pids.has(ContainerID))
      .map((one) => [
        one.ContainerID,
        {
          cpuSeconds: one.CPUNano / 1e9,
          memory: one.MemUsage,
          ...(networkOf(pids.get(one.ContainerID)) ?? { received: one.NetInput, sent: one.NetOutput }),
        },
      ]),
  )
}

/** What a process of this machine received and sent by its network; undefined if it is not a process of this machine. */
function networkOf(pid: number | undefined): { received: number; sent: number } | undefined {
  const text = pid && tryOrUndefined(() => readFileSync(`/proc/${pid}/net/dev`, 'utf8'))
  if (!text) return undefined
  const total = { received: 0, sent: 0 }
  for (const line of text.split('\n')) {
    const [, name, counters = ''] = /^\s*(\S+):\s*(.*)$/.exec(line) ?? []
    if (!name || name === 'lo') continue
    const numbers = counters.split(/\s+/).map(Number)
    total.received += numbers[0] ?? 0
    total.sent += numbers[8] ?? 0
  }
  return total
}

async function eachStats(docker: Docker, running: readonly Listed[]): Promise<Map<string, Stats>> {
  const found = new Map<string, Stats>()
  const waiting = [...running]
  const work = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      const { id } = one
      await readStats(docker.getContainer(id)).then(
        (stats) => found.set(id, stats),
        () => {},
      )
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return found
}

async function readStats(container: Docker.Container): Promise<Stats> {
  const options = { stream: false, 'one-shot': true } as { stream: false }
  const stats = (await container.stats(options)) as Docker.ContainerStats
  const networks = Object.values(stats.networks ?? {})
  const idle = stats.memory_stats.stats?.inactive_file ?? stats.memory_stats.stats?.total_inactive_file ?? 0
  return {
    cpuSeconds: stats.cpu_stats.cpu_usage.total_usage / 1e9,
    memory: Math.max(0, (stats.memory_stats.usage ?? 0) - idle),
    received: networks.reduce((sum, { rx_bytes }) => sum + rx_bytes, 0),
    sent: networks.reduce((sum, { tx_bytes }) => sum + tx_bytes, 0),
  }
}

/** Podman's own API, which has requests for many containers. */
const ask = <T>(docker: Docker, what: string): Promise<T> =>
  new Promise((resolve, reject) => {
    // The client removes the last character of an address with parameters.
    docker.modem.dial({ path: `/v4.0.0/libpod/${what}&`, method: 'GET', statusCodes: { 200: true } }, (error, data) =>
      error ? reject(error as Error) : resolve(data as T),
    )
  })

/** Lines of both outputs, oldest first. */
export async function readLog(
  container: Docker.Container,
  { lines, since }: { lines?: number; since?: Date },
): Promise<LogLine[]> {
  const bytes = (await container.logs({
    stdout: true,
    stderr: true,
    timestamps: true,
    ...(lines !== undefined && { tail: lines }),
    ...(since && { since: Math.floor(since.getTime() / 1000) }),
    follow: false,
  })) as Buffer
  return linesOf(bytes)
}

const LINE_END = 10
const SPACE = 32

/**
 * The lines in a complete multiplexed stream: `2026-11-21T15:56:31.123456789Z text`. A line that a program writes in pieces comes in several
 * frames, each with a time of its own and only the last one with an end; other output may lie between them.
 */
export function linesOf(bytes: Buffer): LogLine[] {
  const lines: LogLine[] = []
  const open = new Map<number, { first: string; last: string; pieces: Buffer[] }>()
  const close = (output: number) => {
    const line = open.get(output)
    open.delete(output)
    const at = new Date(line?.first ?? '')
    const written = writtenAt(line?.last ?? '')
    if (!line || !written || Number.isNaN(at.getTime())) return
    lines.push({ at, written, text: Buffer.concat(line.pieces).toString('utf8').replace(/\r$/, '') })
  }
  for (const { output, frame } of framesOf(bytes))
    for (let from = 0; from < frame.length; ) {
      const end = frame.indexOf(LINE_END, from)
      const piece = frame.subarray(from, end < 0 ? frame.length : end)
      const space = piece.indexOf(SPACE)
      const time = piece.toString('latin1', 0, space < 0 ? piece.length : space)
      const line = open.get(output) ?? { first: time, last: time, pieces: [] }
      line.last = time
      if (space >= 0) line.pieces.push(piece.subarray(space + 1))
      open.set(output, line)
      if (end >= 0) close(output)
      from += piece.length + 1
    }
  for (const output of [...open.keys()]) close(output)
  return lines
}
