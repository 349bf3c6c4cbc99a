import { PassThrough } from 'node:stream'
import type Docker from 'dockerode'
import { expect, it } from 'vitest'
import { until } from '../driver-refusals.fixture.ts'
import { execute } from './exec.ts'

/** As Podman 4.3 does under load: what follows at once on what was read before is not heard. */
const HARD_OF_HEARING = 50

function engineWith(heard: string[]): Docker.Container {
  const raw = new PassThrough()
  let last = 0
  const exec = {
    start: async () => raw,
    resize: async ({ w, h }: { w: number; h: number }) => {
      const now = Date.now()
      if (now - last > HARD_OF_HEARING) heard.push(`${w}x${h}`)
      last = now
    },
    inspect: async () => ({ Running: false, ExitCode: 0 }),
  }
  return { exec: async () => exec } as unknown as Docker.Container
}

it('a terminal gets the last of two sizes, also from an engine that overhears it', async () => {
  const heard: string[] = []
  const run = await execute(engineWith(heard), { command: ['/bin/sh'], tty: true, columns: 80, rows: 24 })
  await run.resize(120, 40)
  await until(async () => heard.at(-1) === '120x40')
  expect(heard[0]).toBe('80x24')
  run.stream.destroy()
})
