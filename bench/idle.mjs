// Memory and CPU time of a complete network that does nothing.
import { readFileSync } from 'node:fs'
import { createNetwork } from '@tidenet/testnet'
import { processTree, report } from './measure.mjs'

const SECONDS = 30
const TICKS = 100

const read = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
// Proportional set size, because PostgreSQL's processes share memory, which resident size counts once per process.
const memory = (pid) => Number(/^Pss:\s+(\d+)/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0)
const resident = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(read(pid, 'status'))?.[1] ?? 0)
const ticks = (pid) => {
  const fields = read(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}
const sum = (list, of) => list.reduce((total, pid) => total + of(pid), 0)

const network = await createNetwork({ mode: 'development' })
try {
  await new Promise((resolve) => setTimeout(resolve, 15_000))
  const before = sum(processTree(), ticks)
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000))
  const pids = processTree()
  const cpu = (sum(pids, ticks) - before) / TICKS / SECONDS
  console.log(
    `${pids.length} processes, ${Math.round(sum(pids, resident) / 1024)} MiB resident, shared pages counted in each`,
  )
  report('the idle stack, memory', {
    measured: Math.round(sum(pids, memory) / 1024),
    against: 'an absolute bound',
    unit: 'MiB',
    value: sum(pids, memory) / 1024,
    goal: { below: 900 },
  })
  report('the idle stack, CPU', {
    measured: (cpu * 100).toFixed(1),
    against: 'one core',
    unit: '%',
    value: cpu,
    goal: { below: 0.05 },
  })
} finally {
  await network.stop()
}
