import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { collectDue, collectLog } from '../logs/collect.ts'
import { reconcileWorkload } from './reconcile.ts'
import { sampleClusters, sampleTenant, type Tenant } from './sample-tenant.fixture.ts'
import { suspend } from './workspaces.ts'

let env: TestEnv
let sample: ReturnType<typeof sampleClusters>
beforeAll(async () => {
  env = await setup()
  sample = sampleClusters(env)
})
afterAll(() => env.close())

const START = Date.parse('2026-01-01T00:00:00Z')

/** A tenant whose machine prints lines at milliseconds after `START`. */
async function printer() {
  const tenant = await sampleTenant(env)
  const id = tenant.machine
  const ref = { workspace: tenant.space, workload: id }
  const print = (...lines: [ms: number, text: string][]) =>
    sample.workloads.get(id)?.lines.push(...lines.map(([ms, text]) => ({ at: new Date(START + ms), text })))
  const collect = () => collectLog(env.context, sample.driver, ref)
  const read = async (more: Record<string, unknown> = {}) =>
    (await env.call('clusters.logs', { id, ...more }, tenant)).data
  const texts = async (more: Record<string, unknown> = {}) =>
    (await read(more)).lines.map(({ text }: { text: string }) => text)
  return { tenant, id, ref, print, collect, read, texts }
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => index + from)

describe('the log of a program', () => {
  it('is collected while the program runs, and numbered once', async () => {
    const { id, print, read, ref } = await printer()
    print([1, 'one'], [1, 'two'])
    await collectDue(env.context)
    // Lines of the same millisecond can arrive later.
    print([1, 'three'], [2, 'four'])
    env.pass(10_000)
    await collectDue(env.context)
    sample.control.away = true
    expect((await read()).lines.map(({ n, text }: { n: number; text: string }) => `${n} ${text}`)).toEqual([
      '1 one',
      '2 two',
      '3 three',
      '4 four',
    ])
    sample.control.away = false
    expect(await collectLog(env.context, sample.driver, ref)).toBe(0)
    expect(id).toBe(ref.workload)
  })

  it('has every line once when several servers collect it', async () => {
    const { print, collect, texts } = await printer()
    for (const round of numbers(5)) {
      print(...numbers(20).map((index): [number, string] => [round * 10 + Math.floor(index / 5), `${round} ${index}`]))
      await Promise.all(numbers(4).map(collect))
    }
    const all = await texts({ lines: 5000 })
    expect(all).toEqual(numbers(5).flatMap((round) => numbers(20).map((index) => `${round} ${index}`)))
  })

  it('goes on after its container is replaced', async () => {
    const { id, print, texts, read, tenant } = await printer()
    print([1, 'before'])
    await env.call('clusters.change', { id, env: { A: '1' } }, tenant)
    await reconcileWorkload(env.context, id)
    // Whether the container is the same or a new one.
    print([5, 'after'])
    expect(await texts()).toEqual(['before', 'after'])
    sample.workloads.get(id)?.lines.splice(0, 2)
    print([9, 'anew'])
    expect((await read()).lines.map(({ text }: { text: string }) => text)).toEqual(['before', 'after', 'anew'])
  })

  it('stays when the order has expired', async () => {
    const { print, texts, tenant } = await printer()
    print([1, 'the last words'])
    await suspend(env.context, tenant.space)
    for (const one of sample.workloads.values()) if (one.workspace === tenant.space) one.lines.length = 0
    expect(await texts()).toEqual(['the last words'])
  })

  it('says where output is missing because the program printed too much', async () => {
    const { id, print, collect, read } = await printer()
    print([1, 'kept'])
    await collect()
    sample.workloads.get(id)?.lines.splice(0)
    print([9, 'after the gap'], [10, 'more'])
    expect((await read()).lines).toMatchObject([
      { text: 'kept', gap: false },
      { text: 'after the gap', gap: true },
      { text: 'more', gap: false },
    ])
  })

  it('is limited: the oldest lines go first', async () => {
    const { id, print, collect, read } = await printer()
    for (const round of numbers(8)) {
      print(...numbers(100).map((index): [number, string] => [round * 1000 + index, 'x'.repeat(10_000)]))
      await collect()
    }
    const { bytes } = await env.db.one<{ bytes: number }>(sql`
      select sum(octet_length(lines))::int as bytes from workload_log_parts where workload_id = ${id}`)
    expect(bytes).toBeLessThanOrEqual(4 * 1024 ** 2)
    expect(bytes).toBeGreaterThan(3 * 1024 ** 2)
    expect((await read({ lines: 1 })).lines[0]?.n).toBe(800)
    expect((await read({ after: 0, lines: 1 })).lines[0]?.n).toBeGreaterThan(300)
  })

  it('keeps whatever a program prints on its line', async () => {
    const { print, texts } = await printer()
    print(
      [1, '\u0000\u001b[2J\u001b[31mred\u001b[0m'],
      [2, 'a\nb\r'],
      [3, '!'],
      [4, ''],
      [5, `${'y'.repeat(2_000_000)}`],
    )
    const [red, two, mark, empty, long] = await texts()
    expect([red, two, mark, empty]).toEqual(['\u001b[2J\u001b[31mred\u001b[0m', 'a b\r', '!', ''])
    expect(long?.length).toBeLessThan(20_000)
  })
})

describe('reading a log', () => {
  it('follows after a line, and pages through all of it', async () => {
    const { print, read } = await printer()
    print(...numbers(2500).map((index): [number, string] => [index, `line ${index}`]))
    const last = await read({ lines: 10 })
    expect(last).toMatchObject({ next: 2500, more: true })
    expect(await read({ after: last.next })).toEqual({ lines: [], next: 2500, more: false })
    print([3000, 'new'])
    expect(await read({ after: last.next })).toMatchObject({ lines: [{ n: 2501, text: 'new' }], next: 2501 })
    const all: number[] = []
    for (let after = 0, more = true; more; ) {
      const page = await read({ after, lines: 400 })
      all.push(...page.lines.map(({ n }: { n: number }) => n))
      ;({ next: after, more } = page)
    }
    expect(all).toEqual(numbers(2501, 1))
  })

  it('finds text in any case and colour, in a time range', async () => {
    const { print, texts, read } = await printer()
    print([0, 'An \u001b[31mEr\u001b[0mror'], [1000, 'fine'], [2000, 'error 2'], [3000, 'Error 3'])
    expect(await texts({ search: 'error' })).toEqual(['An \u001b[31mEr\u001b[0mror', 'error 2', 'Error 3'])
    const at = (ms: number) => new Date(START + ms).toISOString()
    expect(await texts({ since: at(1000), until: at(2000) })).toEqual(['fine', 'error 2'])
    expect(await read({ search: 'ERROR', lines: 1 })).toMatchObject({
      lines: [{ text: 'Error 3' }],
      more: true,
      next: 4,
    })
    expect(await read({ search: 'error', lines: 1, after: 1 })).toMatchObject({
      lines: [{ n: 3 }],
      more: true,
      next: 3,
    })
    expect(await texts({ search: '%' })).toEqual([])
  })

  it('is refused to other accounts', async () => {
    const { id, print } = await printer()
    print([1, 'a secret'])
    const stranger: Tenant = await sampleTenant(env)
    expect(await env.call('clusters.logs', { id, search: 'secret' }, stranger)).toMatchObject({ code: -1 })
    expect(await env.call('clusters.logs', { id, since: 'yesterday' }, stranger)).toMatchObject({ code: -1, err: 1001 })
  })
})
