import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { measureCpu } from './cpu.mjs'

/** Uses a quarter of a second of CPU time. */
const BUSY = 'while (process.cpuUsage().user < 250_000);'

/** Runs a script, and waits until all processes that it started have exited. */
const run = (script: string) =>
  once(spawn('sh', ['-c', script, process.execPath, BUSY], { stdio: ['ignore', 'pipe', 'ignore'] }), 'close')
const child = () => run('"$0" -e "$1"; true')
/** Its parent exits first, so it is reparented. */
const orphan = () => run('"$0" -e "$1" &')

const groups = measureCpu()
const countsAll = groups?.().way.includes('control group')

it.skipIf(!groups)('the time of a child process is counted', async () => {
  const end = measureCpu()
  await child()
  expect(end?.().seconds).toBeGreaterThan(0.2)
})

it.skipIf(!countsAll)('a control group counts a process that outlives its parent, and can be used again', async () => {
  for (let round = 0; round < 2; round++) {
    const end = measureCpu()
    await orphan()
    expect(end?.().seconds).toBeGreaterThan(0.2)
  }
})

it.skipIf(!groups)('without permission to create a control group, child processes are counted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidenet-cpu-'))
  const noTime = () => {
    throw new Error('no such file')
  }
  const unusable = [
    { folder: join(folder, 'missing'), own: /^\d+:.*:(.*)$/m, seconds: noTime },
    { folder, own: /^$/, seconds: noTime },
    { folder, own: /()/, seconds: noTime },
  ]
  const end = measureCpu(unusable)
  await child()
  const { seconds, way } = end?.() ?? {}
  expect(seconds).toBeGreaterThan(0.2)
  expect(way).toContain('child processes')
  rmSync(folder, { recursive: true })
})
