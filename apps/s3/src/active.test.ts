import { expect, it } from 'vitest'
import { createActive } from './active.ts'

const SLOW_DOWN = expect.objectContaining({ code: 'SlowDown' })

it('an access key has a number of requests at the same time, and others are served beside it', () => {
  const { enter } = createActive()
  const leaves = Array.from({ length: 500 }, () => enter('TN1'))
  expect(() => enter('TN1')).toThrow(SLOW_DOWN)
  enter('TN2')
  leaves[0]?.()
  leaves[0]?.()
  enter('TN1')
  expect(() => enter('TN1')).toThrow(SLOW_DOWN)
})

it('all keys together have a number, too', () => {
  const { enter } = createActive()
  for (let n = 0; n < 2000; n++) enter(`TN${n}`)
  expect(() => enter('TN')).toThrow(SLOW_DOWN)
})
