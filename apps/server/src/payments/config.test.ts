import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deriveKeys } from '../platform/keys.ts'
import { readPaymentsConfig } from './config.ts'

const read = (env: Record<string, string>) => readPaymentsConfig(env, { smtpUrl: '' } as never)
const ADDRESS = 'tide1cte0qjlxm6g5fy8gnxjrw7u3ce3q0acx58ty9n'

it('reads addresses of anchors and former keys of receipts', async () => {
  const { x: key = '' } = (await deriveKeys(randomBytes(32))).receiptPublic
  expect(
    read({ TIDENET_ANCHOR_ADDRESSES: `tide-1:${ADDRESS}, tide-2:${ADDRESS}`, TIDENET_FORMER_RECEIPT_KEYS: `${key}:5` }),
  ).toMatchObject({
    anchorAddresses: ['tide-1', 'tide-2'].map((chain) => ({ chain, address: ADDRESS })),
    formerReceiptKeys: [{ key, until: 5 }],
  })
  expect(read({})).toMatchObject({ anchorAddresses: [], formerReceiptKeys: [] })
})

it('reads the points exchange: none, and a partner with a fee', () => {
  expect(read({}).exchange).toMatchObject({ url: '', fee: 100_000n, simulated: false })
  const folder = mkdtempSync(join(tmpdir(), 'tidenet-key-'))
  const file = join(folder, 'key')
  writeFileSync(file, 'partner-key\n')
  expect(
    read({
      TIDENET_EXCHANGE_PARTNER_URL: 'https://partner.example/v1/',
      TIDENET_EXCHANGE_PARTNER_KEY_FILE: file,
      TIDENET_EXCHANGE_REFUND_FEE: '1.5',
      TIDENET_EXCHANGE_GIVE_UP_HOURS: '2',
    }).exchange,
  ).toMatchObject({
    url: 'https://partner.example',
    name: 'partner.example',
    key: 'partner-key',
    fee: 1_500_000n,
    giveUpAfter: 7_200_000,
  })
  rmSync(folder, { recursive: true })
})

it('refuses to exchange the token of orders, because the exchange would refund what orders earn', () => {
  const token = 'a'.repeat(40)
  const chain = { TIDENET_CHAIN_RPC: 'http://127.0.0.1:1', TIDENET_CHAIN_ORDERS: ADDRESS, TIDENET_CHAIN_TOKEN: token }
  expect(() => read({ ...chain, TIDENET_EXCHANGE_TOKEN: token })).toThrow('TIDENET_EXCHANGE_TOKEN')
  expect(read({ ...chain, TIDENET_EXCHANGE_TOKEN: 'b'.repeat(40) }).chain.exchangeToken).toBe('b'.repeat(40))
})

it.each([
  ['TIDENET_EXCHANGE_PARTNER_URL', 'ftp://partner.example'],
  ['TIDENET_EXCHANGE_REFUND_FEE', '-1'],
  ['TIDENET_EXCHANGE_TOKEN', 'TNT4'],
  ['TIDENET_ANCHOR_ADDRESSES', ADDRESS],
  ['TIDENET_ANCHOR_ADDRESSES', `tide-1:${ADDRESS}x`],
  ['TIDENET_FORMER_RECEIPT_KEYS', 'secret:5'],
  ['TIDENET_FORMER_RECEIPT_KEYS', 'A'.repeat(43)],
])('refuses %s=%s', (name, value) => expect(() => read({ [name]: value })).toThrow(name))
