import { randomBytes } from 'node:crypto'
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

it.each([
  ['TIDENET_ANCHOR_ADDRESSES', ADDRESS],
  ['TIDENET_ANCHOR_ADDRESSES', `tide-1:${ADDRESS}x`],
  ['TIDENET_FORMER_RECEIPT_KEYS', 'secret:5'],
  ['TIDENET_FORMER_RECEIPT_KEYS', 'A'.repeat(43)],
])('refuses %s=%s', (name, value) => expect(() => read({ [name]: value })).toThrow(name))
