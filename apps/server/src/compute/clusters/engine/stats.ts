import type Docker from 'dockerode'
import type { LogLine, Usage } from '../driver.ts'
import { demultiplex } from './streams.ts'

/** The resource usage of a running container, without its disk. */
export async function readStats(container: Docker.Container): Promise<Omit<Usage, 'storage'>> {
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

/** The last lines of both outputs, oldest first. */
export async function readLog(container: Docker.Container, lines: number): Promise<LogLine[]> {
  const bytes = (await container.logs({
    stdout: true,
    stderr: true,
    timestamps: true,
    tail: lines,
    follow: false,
  })) as Buffer
  return demultiplex(bytes)
    .split('\n')
    .map(lineOf)
    .filter((line) => line !== undefined)
}

/** `2026-11-21T15:56:31.123456789Z text` */
function lineOf(line: string): LogLine | undefined {
  const [, at, text] = /^(\d{4}-\S+)(?: (.*))?$/.exec(line.replace(/\r$/, '')) ?? []
  return at ? { at: new Date(at), text: text ?? '' } : undefined
}
