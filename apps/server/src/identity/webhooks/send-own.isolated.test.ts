import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seal } from '../../platform/seal.ts'
import { secretOwner, sendMessage } from './send.ts'

/** A machine whose interface has a public address. */
const OWN = '198.41.0.4'
const { networkInterfaces } = os
const setInterfaces = (found: typeof networkInterfaces) => {
  os.networkInterfaces = found
  syncBuiltinESMExports()
}
beforeAll(() => setInterfaces(() => ({ eth0: [{ address: OWN, family: 'IPv4' } as os.NetworkInterfaceInfo] })))
afterAll(() => setInterfaces(networkInterfaces))

it('a webhook reaches no service of the server by a public address of its machine', async () => {
  const webhook = Buffer.alloc(32, 1)
  const context = { config: { privateWebhooks: false }, clock: { now: Date.now }, keys: { webhook } }
  const message = {
    user_id: 1,
    secret: seal(webhook, Buffer.from('whsec_c2VjcmV0'), secretOwner(1)),
    previous_secret: null,
    previous_until: null,
    message_id: 'msg_1',
    body: '{}',
  }
  const send = (url: string) => sendMessage(context as never, { ...message, url })
  for (const host of [OWN, `[::ffff:${OWN}]`, '3324575748'])
    expect(await send(`https://${host}:5432/`), host).toMatchObject({ status: null, failure: 'private' })
})
