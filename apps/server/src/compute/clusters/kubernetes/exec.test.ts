import type { Exec } from '@kubernetes/client-node'
import { expect, it } from 'vitest'
import { execute } from './exec.ts'

it('whoever leaves a program ends its connection, and nothing else', async () => {
  const failures: unknown[] = []
  const note = (error: unknown) => failures.push(error)
  process.on('uncaughtException', note)
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
  process.off('uncaughtException', note)
  expect([closed, failures]).toEqual([1, []])
})
