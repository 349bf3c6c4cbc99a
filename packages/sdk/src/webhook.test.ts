import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifyWebhook, WebhookInvalid } from './webhook.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
// The example that the reference libraries of Standard Webhooks test.
const body = '{"test": 2432232314}'
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const now = 1_614_265_330_000
const MINUTE = 60_000

const event = JSON.stringify({ type: 'asset.deleted', timestamp: '2021-02-25T15:02:10Z', data: { cids: ['名'] } })
const signed = (text: string, by = secret, more: Partial<typeof headers> = {}) => {
  const all = { ...headers, ...more }
  const key = Buffer.from(by.slice(6), 'base64')
  const content = `${all['webhook-id']}.${all['webhook-timestamp']}.${text}`
  return { ...all, 'webhook-signature': `v1,${createHmac('sha256', key).update(content).digest('base64')}` }
}
const refused = (...[by, from, text, options]: Parameters<typeof verifyWebhook>) =>
  expect(verifyWebhook(by, from, text, { now, ...options })).rejects.toBeInstanceOf(WebhookInvalid)

describe('a webhook', () => {
  it('is verified as Standard Webhooks defines it', async () => {
    expect(await verifyWebhook(secret, headers, body, { now })).toMatchObject({ id: headers['webhook-id'] })
  })

  it('has an event, whether headers and body are text, bytes or objects of fetch', async () => {
    const expected = {
      id: headers['webhook-id'],
      type: 'asset.deleted',
      timestamp: '2021-02-25T15:02:10Z',
      data: { cids: ['名'] },
    }
    expect(await verifyWebhook(secret, signed(event), event, { now })).toEqual(expected)
    expect(await verifyWebhook(secret, new Headers(signed(event)), Buffer.from(event), { now })).toEqual(expected)
  })

  it('may have several signatures while the secret is being replaced', async () => {
    const other = signed(event, 'whsec_AAAA')['webhook-signature']
    const both = { ...headers, 'webhook-signature': `v2,x ${other} ${signed(event)['webhook-signature']}` }
    expect((await verifyWebhook(secret, both, event, { now })).type).toBe('asset.deleted')
  })

  it.each([-5 * MINUTE, 5 * MINUTE])('may be %i ms old', async (age) => {
    expect(await verifyWebhook(secret, headers, body, { now: now + age })).toBeDefined()
  })
})

describe('refused: a webhook', () => {
  it('of another secret, content, id or time', async () => {
    await refused('whsec_AAAA', headers, body)
    await refused(secret, headers, `${body} `)
    await refused(secret, { ...headers, 'webhook-id': 'msg_other' }, body)
    await refused(secret, { ...headers, 'webhook-timestamp': '1614265331' }, body)
  })

  it.each([-5 * MINUTE - 1, 5 * MINUTE + 1])('that is %i ms old', (age) =>
    refused(secret, headers, body, { now: now + age }),
  )

  it.each(['', 'v1,', 'v1', 'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=', 'v1a,x', 'v1,!!!', 'v2,g0hM9SsE'])(
    'with the signature %j',
    (signature) => refused(secret, { ...headers, 'webhook-signature': signature }, body),
  )

  it.each(['', 'NaN', '-1', '1e9', '0x60', ' 1614265330', '99999999999999999999'])(
    'with the timestamp %j',
    (timestamp) => refused(secret, signed(body, secret, { 'webhook-timestamp': timestamp }), body),
  )

  it('whose content was moved to its id, with a new time', async () => {
    const old = signed('{"name":"a.1614265330.7"}', secret, { 'webhook-timestamp': '1000000000' })
    const moved = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek.1000000000.{"name":"a',
      'webhook-timestamp': '1614265330',
      'webhook-signature': old['webhook-signature'],
    }
    await refused(secret, moved, '7"}')
  })

  it('without one of the headers', async () => {
    for (const name of Object.keys(headers)) await refused(secret, { ...headers, [name]: undefined }, body)
  })

  it('that is verified with a secret which is none', async () => {
    for (const none of ['', 'whsec_', 'tnk_abc', 'whsec_*'])
      await expect(verifyWebhook(none, headers, body, { now })).rejects.toBeInstanceOf(TypeError)
  })
})
