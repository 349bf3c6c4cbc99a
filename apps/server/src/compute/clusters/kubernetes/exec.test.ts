import type { Exec } from '@kubernetes/client-node'
import { expect, it } from 'vitest'
import { execute } from './exec.ts'

it('leaving a program closes its connection without an error', async () => {
  const failures: unknown[] = []
  const record = (error: unknown) => failures.push(error)
  process.on('uncaughtException', record)
  let closed = 0
  const socket = {
    onclose: () => {},
    close() {
      closed += 1
      this.onclose()
    },
  }
  const exec = { exec: async () => socket } as unknown as Exec
  const run = await execute({ exec }, { namespace: 'a', pod: 'b' }, { command: ['sh'], tty: false })
  run.stream.write('something')
  run.stream.destroy()
  expect(await run.exit).toBe(-1)
  await new Promise((resolve) => setImmediate(resolve))
  process.off('uncaughtException', record)
  expect([closed, failures]).toEqual([1, []])
})
