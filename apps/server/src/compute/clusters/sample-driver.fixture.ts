import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex, PassThrough } from 'node:stream'
import {
  type ClusterDriver,
  ClusterError,
  type Execution,
  type LogLine,
  type Probe,
  type Size,
  specHashOf,
  WORKSPACE_FULL,
  type WorkloadRef,
  type WorkloadSpec,
  type WorkloadState,
  writtenAt,
} from './driver.ts'
import { fitsBeside, GB } from './sizes.ts'
import { noResult, type TransferResult, type TransferTask } from './transfer-task.ts'

/** For tests: a driver in memory. A terminal echoes its input and ends at `exit`. */
export function sampleDriver(capacity: Size = { cpu: 8, memory: 16 * GB, storage: 500 * GB }) {
  const spaces = new Map<string, { size: Size; suspended: boolean }>()
  const workloads = new Map<
    string,
    WorkloadState & { spec: WorkloadSpec; lines: Omit<LogLine, 'written'>[]; used: number; files: Buffer }
  >()
  const control = {
    away: false,
    fails: false,
    lingers: false,
    storageUsed: 0,
    /** Calls of `measure`. */
    /** By `workload:port`: what listens there. */
    listening: new Map<string, { host: string; port: number }>(),
    sizes: [] as { columns: number; rows: number }[],
    /** What images of slow registries wait for. */
    slow: Promise.resolve(),
    /** Archives that were loaded, by workload. */
    loaded: new Map<string, Buffer>(),
    /** Tasks of `transfer`, and what differs from their usual result. */
    transfers: [] as TransferTask[],
    transferred: async (_task: TransferTask, _signal?: AbortSignal): Promise<Partial<TransferResult>> => ({}),
  }
  const answer = () => {
    if (control.away) throw new ClusterError('absent', 'The cluster does not answer.')
  }
  const find = ({ workspace, workload }: WorkloadRef) => {
    answer()
    const found = workloads.get(workload)
    if (!found || found.workspace !== workspace) throw new ClusterError('unknown', 'There is no such workload.')
    return found
  }
  const inside = (workspace: string) => [...workloads.values()].filter((one) => one.workspace === workspace)

  const usageOf = (one: { used: number }) => {
    one.used += 10
    return { cpuSeconds: one.used, memory: 1000, storage: control.storageUsed, received: 1, sent: 2 }
  }

  async function load({ id, archive, image, login }: WorkloadSpec): Promise<void> {
    if (image?.includes('/private/') && login?.password !== 'right')
      throw new ClusterError('registry', `The registry refuses access to ${image}.`)
    if (image?.includes('/slow/')) await control.slow
    const opened = await archive?.()
    if (!opened) return
    const parts: Buffer[] = []
    for await (const part of opened.stream(`localhost/${id}`)) parts.push(part as Buffer)
    await opened.close()
    control.loaded.set(id, Buffer.concat(parts))
  }

  const driver: ClusterDriver = {
    kind: 'engine',
    async probe(): Promise<Probe> {
      return control.away
        ? { state: 'absent', reason: 'away', facts: {}, tried: [{ what: 'sample', result: 'away' }] }
        : { state: 'ready', reason: '', facts: { network: 'bridge', storage: 'enforced' }, tried: [] }
    },
    async capacity() {
      answer()
      return capacity
    },
    async createWorkspace({ id, size }) {
      answer()
      spaces.set(id, { size, suspended: false })
    },
    async suspendWorkspace(id) {
      answer()
      const space = spaces.get(id)
      if (space) space.suspended = true
      for (const one of inside(id)) one.state = 'stopped'
    },
    async removeWorkspace(id) {
      answer()
      for (const { workload } of inside(id)) workloads.delete(workload)
      spaces.delete(id)
    },
    async listWorkspaces() {
      answer()
      return [...spaces.keys()]
    },
    async deploy(workspace, spec) {
      answer()
      const present = workloads.get(spec.id)
      if (spec.image?.includes('missing')) throw new ClusterError('image', `The image ${spec.image} cannot be pulled.`)
      if (!present && !fitsBeside(workspace.size, inside(workspace.id), spec))
        throw new ClusterError('full', WORKSPACE_FULL)
      if (!present) await load(spec)
      if (control.fails || spec.command[0] === 'missing')
        throw new ClusterError('failed', 'The workload could not be started.')
      if (present?.state !== 'running' && spec.beforeStart) {
        // The container exists before it is started.
        if (!present) workloads.set(spec.id, stoppedOf(workspace.id, spec))
        await spec.beforeStart()
      }
      workloads.set(spec.id, {
        ...(present ?? { lines: [], used: 0, files: Buffer.alloc(0) }),
        workspace: workspace.id,
        workload: spec.id,
        spec: present?.spec ?? spec,
        specHash: present?.specHash ?? specHashOf(spec),
        state: 'running',
        size: present?.size ?? spec.size,
        startedAt: new Date(),
        published: [],
        storage: 'enforced',
        kernel: 'shared',
      })
    },
    async resize(workspace, spec) {
      const present = find({ workspace: workspace.id, workload: spec.id })
      if (spec.image?.includes('missing')) throw new ClusterError('image', `The image ${spec.image} cannot be pulled.`)
      await load(spec)
      await spec.beforeStart?.()
      Object.assign(present, { size: spec.size, spec, specHash: specHashOf(spec), state: 'running' })
    },
    async stop(ref) {
      find(ref).state = control.lingers ? 'stopping' : 'stopped'
    },
    async remove(ref) {
      answer()
      if (workloads.get(ref.workload)?.workspace === ref.workspace) workloads.delete(ref.workload)
    },
    async list(workspace) {
      answer()
      return workspace === undefined ? [...workloads.values()] : inside(workspace)
    },
    async ended() {
      answer()
      return [...workloads.values()].filter(({ state }) => state === 'failed' || state === 'stopped')
    },
    async addressOf(ref, port) {
      if (find(ref).state !== 'running') throw new ClusterError('stopped', 'The workload is not running.')
      const address = control.listening.get(`${ref.workload}:${port}`)
      if (!address) throw new ClusterError('unknown', 'The workload has no network.')
      return address
    },
    async exec(ref, { command, columns = 0, rows = 0, tty, apart = false }) {
      if (find(ref).state !== 'running') throw new ClusterError('stopped', 'The workload is not running.')
      if (apart && !tty)
        return command[3] === 'files' ? sampleScript(command, diskOf(ref.workload)) : sampleCommand(command)
      if (tty) control.sizes.push({ columns, rows })
      let settle: (code: number) => void = () => {}
      const exit = new Promise<number>((resolve) => {
        settle = resolve
      })
      let line = ''
      let over = false
      const stream = new Duplex({
        read() {},
        write(chunk: Buffer, _, done) {
          if (over) return done()
          this.push(chunk)
          // Input may arrive in any pieces.
          line = `${line}${chunk.toString()}`.slice(-100)
          if (/(^|\W)exit/.test(line)) {
            over = true
            this.push(null)
            settle(3)
          }
          done()
        },
        destroy(error, done) {
          settle(-1)
          done(error)
        },
      })
      if (!tty) settle(0)
      return {
        stream,
        exit,
        async resize(wide, high) {
          control.sizes.push({ columns: wide, rows: high })
        },
      }
    },
    async logs(ref, { lines, since = new Date(0) }) {
      const second = Math.floor(since.getTime() / 1000) * 1000
      const found = find(ref)
        .lines.filter(({ at }) => at.getTime() >= second)
        .map((line) => ({ ...line, written: writtenAt(line.at.toISOString()) ?? '' }))
      return lines === undefined ? found : found.slice(-lines)
    },
    async usage(ref) {
      return usageOf(find(ref))
    },
    async measure(workspaces) {
      answer()
      return workspaces.flatMap(inside).map((one) => ({ ...one, ...usageOf(one), limit: one.storage }))
    },
    async copyIn(ref, archive) {
      const parts: Buffer[] = []
      for await (const part of archive) parts.push(part as Buffer)
      find(ref).files = Buffer.concat(parts)
    },
    async transfer(ref, task, { plan, signal }) {
      find(ref)
      control.transfers.push(task)
      const different = await control.transferred(task, signal)
      if (task.kind === 'fill' && different.filled !== false) await plan({ 'in.txt': 'cid' })
      return { ...noResult(task), filled: task.kind === 'fill', ...different }
    },
    async close() {},
  }
  return { driver, control, workloads, spaces }
}

const stoppedOf = (workspace: string, spec: WorkloadSpec) => ({
  lines: [],
  used: 0,
  files: Buffer.alloc(0),
  workspace,
  workload: spec.id,
  spec,
  specHash: specHashOf(spec),
  state: 'stopped' as const,
  size: spec.size,
  published: [],
  storage: 'enforced' as const,
  kernel: 'shared' as const,
})

/** Copies stdin to stdout, its arguments to stderr, and ends with stdin; the exit code is the number of arguments. */
function sampleCommand(command: readonly string[]): Execution {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  errors.write(command.join(' '))
  const exit = new Promise<number>((resolve) => {
    output.once('finish', () => {
      errors.end()
      resolve(command.length)
    })
    output.once('close', () => resolve(-1))
  })
  return { stream: output, errors, exit, async resize() {} }
}

const disks = new Map<string, string>()

/** A folder of this machine that stands for the root of a container; its disk is at `data`. */
function diskOf(workload: string): string {
  const root = disks.get(workload) ?? mkdtempSync(join(tmpdir(), 'sample-disk-'))
  if (!disks.has(workload)) {
    disks.set(workload, root)
    mkdirSync(join(root, 'data'))
    process.once('exit', () => rmSync(root, { recursive: true, force: true }))
  }
  return root
}

/** Scripts of the file browser, with the shell of this machine. */
function sampleScript([program = '', ...args]: readonly string[], root: string): Execution {
  const child = spawn(program, [...args.slice(0, 3), join(root, args[3] ?? ''), ...args.slice(4)])
  const exit = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)))
  const stream = Duplex.from({ readable: child.stdout, writable: child.stdin })
  stream.on('error', () => {})
  return { stream, errors: child.stderr, exit, async resize() {} }
}
