import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type {
  ClusterDriver,
  ExecOptions,
  Size,
  WorkloadRef,
  WorkloadSpec,
  WorkloadState,
  WorkspaceSpec,
} from './driver.ts'

/** For tests: workspaces and workloads of any driver. */

export const MB = 1024 ** 2

export const randomId = (prefix: string): string => `${prefix}-${randomBytes(4).toString('hex')}`

export const sampleSize = (more: Partial<Size> = {}): Size => ({
  cpu: 0.5,
  memory: 64 * MB,
  storage: 64 * MB,
  ...more,
})

export const sampleWorkspace = (more: Partial<Size> = {}): WorkspaceSpec => ({
  id: randomId('ws'),
  owner: 'u1',
  size: sampleSize(more),
})

/** The default image with a command that waits. */
export const sampleWorkload = (more: Partial<WorkloadSpec> = {}): WorkloadSpec => ({
  id: randomId('w'),
  name: 'machine',
  image: undefined,
  command: [],
  env: {},
  ports: [],
  size: sampleSize(),
  ...more,
})

export const findState = async (driver: ClusterDriver, ref: WorkloadRef): Promise<WorkloadState | undefined> =>
  (await driver.list(ref.workspace)).find(({ workload }) => workload === ref.workload)

/** Where a port of a workload is in its own network. */
export async function networkAddress(
  driver: ClusterDriver,
  ref: WorkloadRef,
  port: number,
): Promise<{ host: string; port: number }> {
  const address = await driver.addressOf(ref, port)
  if ('path' in address) throw new Error('the workload is reached by a socket file')
  return address
}

/** Waits until a workload is running. */
export const untilRunning = (driver: ClusterDriver, ref: WorkloadRef): Promise<void> =>
  until(async () => (await findState(driver, ref))?.state === 'running')

/** Runs a shell script in a workload. */
export async function runScript(
  driver: ClusterDriver,
  ref: WorkloadRef,
  script: string,
  options: Partial<ExecOptions> = {},
): Promise<{ output: string; code: number }> {
  const run = await driver.exec(ref, { command: ['/bin/sh', '-c', script], tty: false, ...options })
  let output = ''
  for await (const chunk of run.stream) output += chunk
  return { output: output.trim(), code: await run.exit }
}

/** Polls until a condition holds. @throws Error after `timeoutMs` */
export async function until(condition: () => Promise<boolean>, intervalMs = 100, timeoutMs = 60_000): Promise<void> {
  for (const end = Date.now() + timeoutMs; !(await condition()); await wait(intervalMs))
    if (Date.now() > end) throw new Error('the condition did not hold in time')
}

/** Shell script that prints the container's default gateway; empty without a network. */
export const GATEWAY = "ip route | sed -n 's/^default via \\([0-9.]*\\).*/\\1/p'"
