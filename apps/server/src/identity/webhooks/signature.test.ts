import { describe, expect, it } from 'vitest'
import { createSecret, signedHeaders } from './signature.ts'

describe('the signature of a webhook', () => {
  // The example that the reference libraries of Standard Webhooks test.
  it('is that of Standard Webhooks', () => {
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: new Date(1_614_265_330_000),
      body: '{"test": 2432232314}',
    }
    expect(signedHeaders(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  it('exists once for each secret', () => {
    const message = { id: 'msg_1', at: new Date(0), body: '{}' }
    const [one, two] = [createSecret(), createSecret()]
    const alone = (secret: string) => signedHeaders(message, [secret])['webhook-signature']
    expect(signedHeaders(message, [one, two])['webhook-signature']).toBe(`${alone(one)} ${alone(two)}`)
  })

  it('has a new secret of 256 bits for each webhook', () => {
    const [one, two] = [createSecret(), createSecret()]
    expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(one).not.toBe(two)
  })
})
