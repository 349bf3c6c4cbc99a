import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@tidenet/daemon'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runLimits } from './command.ts'
import { type Limiter, openLimiter } from './limiter.ts'
import { NO_LIMITS, parseRate, rateAt, readLimits, writeLimits } from './limits.ts'

const log = createLogger('test', 'silent')
const NOON = new Date(2026, 10, 28, 12).getTime()

let data: string
const open: Limiter[] = []
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'limits-'))
  await writeFile(join(data, 'node.key'), '')
})
afterEach(async () => {
  for (const limiter of open.splice(0)) await limiter.stop()
  await rm(data, { recursive: true })
})
const opened = async (now = () => NOON) => {
  const limiter = await openLimiter({ data, now, log })
  open.push(limiter)
  return limiter
}
/** Sends bytes. @returns how many arrived */
const send = async (limiter: Limiter, bytes: number) => {
  let arrived = 0
  await limiter
    .wrap({
      write: async (piece) => {
        arrived += piece.length
      },
    })
    .write(new Uint8Array(bytes))
    .catch(() => {})
  return arrived
}
const until = async (check: () => boolean) => {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe('a rate', () => {
  const limits = {
    ...NO_LIMITS,
    rates: [parseRate('22-6=80Mbit/s'), parseRate('8-18=8Mbit/s'), parseRate('12-13=4Mbit/s')],
  }
  it.each([
    [23, 10e6],
    [5, 10e6],
    [6, undefined],
    [8, 1e6],
    [12, 0.5e6],
    [18, undefined],
  ])('at %i o’clock is %s bytes per second, the lowest that holds', (hour, rate) => {
    expect(rateAt(limits, hour)).toBe(rate)
  })

  it('without hours holds all day', () => {
    for (let hour = 0; hour < 24; hour += 1)
      expect(rateAt({ ...NO_LIMITS, rates: [parseRate('8Mbit/s')] }, hour)).toBe(1e6)
  })

  it('slows down all downloads together', async () => {
    await writeLimits(data, { ...NO_LIMITS, rates: [parseRate('12-13=16Mbit/s')] })
    const limiter = await opened()
    const started = performance.now()
    await Promise.all([send(limiter, 1e6), send(limiter, 1e6)])
    // 2 MB at 2 MB/s, without the first quarter of a second.
    expect(performance.now() - started).toBeGreaterThan(600)
  })

  it('holds only in its hours', async () => {
    await writeLimits(data, { ...NO_LIMITS, rates: [parseRate('13-14=1Mbit/s')] })
    const started = performance.now()
    expect(await send(await opened(), 10e6)).toBe(10e6)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

describe('a monthly limit', () => {
  it('ends downloads when it is used up, and the node is away until the next month', async () => {
    await writeLimits(data, { ...NO_LIMITS, monthly: 100_000 })
    let now = NOON
    const limiter = await opened(() => now)
    expect(await send(limiter, 60_000)).toBe(60_000)
    expect(limiter.away).toBeUndefined()
    await send(limiter, 60_000)
    expect(limiter.away).toBe('monthly')
    expect(await send(limiter, 60_000)).toBe(0)
    now = new Date(2026, 11, 1).getTime()
    expect(limiter.away).toBeUndefined()
    expect(limiter.sent).toBe(0)
  })

  it('holds across restarts', async () => {
    await writeLimits(data, { ...NO_LIMITS, monthly: 100_000 })
    const limiter = await opened()
    await send(limiter, 100_000)
    await limiter.stop()
    expect((await opened()).away).toBe('monthly')
  })
})

describe('the owner', () => {
  const limits = (...argv: string[]) => runLimits(['--data', data, ...argv], { TIDENET_LANG: 'en' })

  it('sets limits one by one, sees and removes them', async () => {
    await limits('--space', '50GiB', '--rate', '8-22=5Mbit/s')
    const shown = (await limits('--monthly', '1GiB')).join('\n')
    for (const part of ['50 GiB', '8:00', '22:00', '5 Mbit/s', '1 GiB']) expect(shown).toContain(part)
    await limits('--space', 'none', '--rate', 'none', '--monthly', 'none')
    expect(await readLimits(data)).toEqual(NO_LIMITS)
  })

  it('pauses and continues a running node', async () => {
    const limiter = await opened()
    await limits('--pause')
    await until(() => limiter.away === 'paused')
    await limits('--continue')
    await limiter.untilBack(AbortSignal.timeout(10_000))
    expect(limiter.away).toBeUndefined()
  })

  it('reads it in Chinese', async () => {
    expect((await runLimits(['--data', data, '--pause'], { LANG: 'zh_CN.UTF-8' })).join()).toContain('已暂停')
  })

  it.each([
    ['--rate', '5'],
    ['--rate', '8-25=5Mbit/s'],
    ['--rate', '1kbit/s'],
    ['--space', 'much'],
    ['--monthly', '-1'],
    ['--colour', 'red'],
    ['--pause', '--continue'],
  ])('is refused %s %s, and nothing changes', async (...argv) => {
    await limits('--space', '1GiB')
    const before = await readFile(join(data, 'limits.json'))
    await expect(limits(...argv)).rejects.toThrow()
    expect(await readFile(join(data, 'limits.json'))).toEqual(before)
  })

  it('is refused a folder without a node', async () => {
    await expect(runLimits(['--data', join(data, 'none')], {})).rejects.toThrow(/none/)
    await expect(runLimits([], {})).rejects.toThrow(/--data/)
  })
})

it('a node does not start with damaged limits', async () => {
  for (const text of ['{', '{"paused":"no"}', '{"rates":[],"paused":false,"monthly":-1}']) {
    await writeFile(join(data, 'limits.json'), text)
    await expect(openLimiter({ data, now: () => NOON, log })).rejects.toThrow(/limits\.json/)
  }
})

it('a running node keeps its limits if the file is damaged', async () => {
  await writeLimits(data, { ...NO_LIMITS, monthly: 0 })
  const limiter = await opened()
  await writeFile(join(data, 'limits.json'), '{')
  await writeFile(join(data, 'month.json'), '')
  await send(limiter, 1)
  expect(limiter.away).toBe('monthly')
})
