import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type Buyer,
  type OrdersEnv,
  SMALLEST,
  setupOrders,
} from '../../apps/server/src/payments/orders/sample-orders.fixture.ts'
import { bundled } from './test-network.ts'

/** The command line with orders, which a wallet pays elsewhere. */

let env: OrdersEnv
let buyer: Buyer
let folder = ''
let url = ''
const ids: string[] = []
beforeAll(async () => {
  env = await setupOrders()
  await env.base.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(env.base.app.server.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'cli-orders-'))
  buyer = await env.buyer()
  for (const hours of [2, 3]) {
    const { data } = await env.base.call('orders.create', { ...SMALLEST, duration: hours }, { token: buyer.token })
    ids.push(data.id)
  }
})
afterAll(async () => {
  await env.close()
  await rm(folder, { recursive: true })
})

function run(...args: string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, [bundled('cli'), 'order', ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      TIDENET_LANG: 'en',
      TIDENET_CONFIG: join(folder, 'config'),
      TIDENET_URL: url,
      TIDENET_TOKEN: buyer.token,
    },
  })
  let out = ''
  child.stdout.on('data', (text) => {
    out += text
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })))
}

/** The shortest start of the first ID that the second one does not have. */
const startOf = ([first = '', second = '']: readonly string[]) =>
  first.slice(0, [...first].findIndex((letter, index) => letter !== second[index]) + 1)

it('lists prices with their unit', async () => {
  const { data } = await env.base.call('orders.offers', {}, { token: buyer.token })
  const { out } = await run('list')
  const { list } = JSON.parse((await run('list', '--json')).out) as { list: { price: number }[] }
  expect(list).toHaveLength(2)
  for (const { price } of list) expect(out).toContain(`${price} ${data.token.symbol}`)
})

it('finds an order by the start of its number, if only one has it', async () => {
  const [first = ''] = ids
  for (const text of [first, startOf(ids)])
    expect(JSON.parse((await run('show', '--json', text)).out)).toMatchObject({ order: { id: first } })
  expect((await run('end', '--yes', startOf(ids))).code).toBe(0)
  expect(JSON.parse((await run('show', '--json', first)).out)).toMatchObject({ order: { label: 'cancelled' } })
})

it('orders GPUs where they are offered, and says how many an order has', async () => {
  const size = ['--cpu', '1', '--ram', '1', '--storage', '40', '--hours', '1']
  expect((await run('buy', ...size, '--gpus', '2')).code).not.toBe(0)
  env.clusters.gpus = 2
  const bought = await run('buy', '--json', ...size, '--gpus', '2')
  const { order_id: id } = JSON.parse(bought.out) as { order_id: string }
  expect(JSON.parse((await run('show', '--json', id)).out)).toMatchObject({ order: { gpus: 2 } })
  expect((await run('show', id)).out).toContain('2 GPUs')
  for (const gpus of ['3', '-1', 'two']) expect((await run('buy', ...size, '--gpus', gpus)).code).not.toBe(0)
  expect((await run('end', '--yes', id)).code).toBe(0)
})

it('refuses a start that no order or several orders have', async () => {
  expect((await run('show', 'nothing')).code).toBe(4)
  expect((await run('end', '--yes', '')).code).toBe(4)
  const common = startOf(ids).slice(0, -1)
  if (common !== '') expect((await run('show', common)).code).toBe(2)
})
