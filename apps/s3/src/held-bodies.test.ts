import { expect, it } from 'vitest'
import { createHeldBodies } from './held-bodies.ts'

const MiB = 1024 * 1024

function setup() {
  let at = 0
  const bodies = createHeldBodies(() => at)
  return {
    add: bodies.add,
    /** Bodies of one MiB that never come. */
    still: (accessKeyId: string, count: number) =>
      Array.from({ length: count }, () => begin(bodies.add(accessKeyId, MiB))),
    wait: (ms: number) => {
      at += ms
    },
  }
}

/** Starts to read a body, whose pieces are sent one by one. */
function begin(held: ReturnType<ReturnType<typeof createHeldBodies>['add']>) {
  let send = (_: Uint8Array | undefined) => {}
  async function* source() {
    for (;;) {
      const piece = await new Promise<Uint8Array | undefined>((resolve) => {
        send = resolve
      })
      if (!piece) return
      yield piece
    }
  }
  const reading = held.pieces(source())
  let next = reading.next()
  next.catch(() => {})
  return {
    held,
    async send(piece?: Uint8Array) {
      send(piece)
      const answer = await next
      if (!answer.done) {
        next = reading.next()
        next.catch(() => {})
      }
    },
    outcome: () => next,
  }
}

it('bodies that stand still, though a byte comes now and then, make room for others', async () => {
  const { add, still, wait } = setup()
  const first = still('TN1', 128)
  const second = still('TN2', 128)
  expect(() => add('TN3', MiB)).toThrow()
  for (let n = 0; n < 3; n++) {
    wait(1000)
    await first[0]?.send(new Uint8Array(1))
    await first[1]?.send(new Uint8Array(40_000))
  }
  add('TN3', MiB)
  await expect(first[0]?.outcome()).rejects.toMatchObject({ code: 'RequestTimeout' })
  for (let n = 0; n < 2 * 127; n++) add('TN4', MiB / 2)
  await expect(second[0]?.outcome()).rejects.toMatchObject({ code: 'RequestTimeout' })
  // It sends, so it stays.
  await first[1]?.send(new Uint8Array(1))
})

it('an access key cannot take all, nor does it push out those of others', async () => {
  const { add, still, wait } = setup()
  const [other] = still('TN2', 1)
  still('TN1', 128)
  expect(() => add('TN1', MiB)).toThrow(expect.objectContaining({ code: 'SlowDown' }))
  add('TN3', MiB)
  wait(60_000)
  add('TN1', MiB)
  await other?.send(new Uint8Array(1))
})

it('a body that has come stays until it is stored, and its room is free then', async () => {
  const { add, still, wait } = setup()
  const bodies = still('TN1', 128)
  for (const body of bodies) await body.send()
  wait(60_000)
  expect(() => add('TN1', 1)).toThrow(expect.objectContaining({ code: 'SlowDown' }))
  bodies[0]?.held.end()
  bodies[0]?.held.end()
  add('TN1', MiB)
  expect(() => add('TN1', 1)).toThrow(expect.objectContaining({ code: 'SlowDown' }))
})
