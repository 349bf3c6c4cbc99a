// CPU budgets of the stages. CPU time is measured on Linux only; elsewhere there is no limit.
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const TICKS = 100

/**
 * CPU seconds of each stage: 1.7 times the usage on an idle machine with two cores; a busy machine needs up to 1.5 times as many. If new
 * tests need more, increase the budget or move long tests to `npm run test:long`.
 */
export const BUDGETS = {
  check: 240,
  unit: 300,
  sql: 50,
  routes: 750,
  clusters: 400,
  network: 800,
  browser: 1900,
}

/** Control groups that count CPU time: version 1 in nanoseconds, version 2 in microseconds. */
const HIERARCHIES = [
  {
    folder: '/sys/fs/cgroup/cpuacct',
    own: /^\d+:(?:[\w=]+,)*cpuacct(?:,\w+)*:(.*)$/m,
    seconds: (group) => Number(readFileSync(join(group, 'cpuacct.usage'), 'utf8')) / 1e9,
  },
  {
    folder: '/sys/fs/cgroup',
    own: /^0::(.*)$/m,
    seconds: (group) => Number(/^usage_usec (\d+)$/m.exec(readFileSync(join(group, 'cpu.stat'), 'utf8'))?.[1]) / 1e6,
  },
]

/**
 * Starts to measure the CPU time of this process and of those that it starts. A control group also counts processes that outlive their
 * parents, for example of browsers. Without permission to create one, only child processes are counted that have exited and were waited for.
 * @param hierarchies for tests
 * @returns a function that ends the measurement; undefined if the time is unknown
 */
export function measureCpu(hierarchies = HIERARCHIES) {
  for (const hierarchy of hierarchies) {
    const group = enterGroup(hierarchy)
    if (!group) continue
    const { home, path } = group
    const before = hierarchy.seconds(path)
    return () => {
      try {
        return { seconds: hierarchy.seconds(path) - before, way: 'of all processes, by control group' }
      } finally {
        leaveGroup(home, path)
      }
    }
  }
  const before = childrenCpu()
  if (before === undefined) return undefined
  return () => ({ seconds: (childrenCpu() ?? before) - before, way: 'of child processes that have exited' })
}

/** Of this process: groups are busy for a moment after their last process has exited, so each has its own name. */
let groups = 0

/** Moves this process, whose children start in its group, to a new group below its own. @returns undefined if that is not possible */
function enterGroup({ folder, own, seconds }) {
  let path
  let home
  try {
    home = join(folder, own.exec(readFileSync('/proc/self/cgroup', 'utf8'))[1])
    path = join(home, `tidenet-test-${process.pid}-${++groups}`)
    mkdirSync(path)
    if (!Number.isFinite(seconds(path))) throw new Error('no CPU time')
    writeFileSync(join(path, 'cgroup.procs'), String(process.pid))
    return { home, path }
  } catch {
    leaveGroup(home, path)
    return undefined
  }
}

/** Moves what is left in the group back, and removes it. */
function leaveGroup(home, path) {
  if (!path) return
  try {
    for (const pid of readFileSync(join(path, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)) {
      try {
        writeFileSync(join(home, 'cgroup.procs'), pid)
      } catch {
        // It has exited.
      }
    }
  } catch {
    // It was not created.
  }
  for (let tries = 0; tries < 20; tries++)
    try {
      return rmdirSync(path)
    } catch (error) {
      // Busy with processes that are exiting, or with groups of container engines below it. Otherwise it is not ours.
      if (error.code !== 'EBUSY') return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25)
    }
}

/** CPU seconds of all child processes that have exited; undefined if unknown. */
function childrenCpu() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[13]) + Number(fields[14])) / TICKS
  } catch {
    return undefined
  }
}
