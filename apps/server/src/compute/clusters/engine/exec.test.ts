import { PassThrough } from 'node:stream'
import type Docker from 'dockerode'
import { expect, it } from 'vitest'
import { until } from '../sample-workloads.fixture.ts'
import { execute } from './exec.ts'

/** Ignores a resize shortly after another one, as Podman 4.3 does under load. */
const IGNORED_WITHIN_MS = 50

function engineWith(sizes: string[]): Docker.Container {
  const raw = new PassThrough()
  let last = 0
  const exec = {
    start: async () => raw,
    resize: async ({ w, h }: { w: number; h: number }) => {
      const now = Date.now()
      if (now - last > IGNORED_WITHIN_MS) sizes.push(`${w}x${h}`)
      last = now
    },
    inspect: async () => ({ Running: false, ExitCode: 0 }),
  }
  return { exec: async () => exec } as unknown as Docker.Container
}

it('sends the last of two sizes again, for an engine that ignored it', async () => {
  const sizes: string[] = []
  const run = await execute(engineWith(sizes), { command: ['/bin/sh'], tty: true, columns: 80, rows: 24 })
  await run.resize(120, 40)
  await until(async () => sizes.at(-1) === '120x40')
  expect(sizes[0]).toBe('80x24')
  run.stream.destroy()
})
