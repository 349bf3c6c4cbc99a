import { randomBytes } from 'node:crypto'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { signUp, until, type WireClient } from './wire-client.ts'

/** Set DATABASE_URL to use another PostgreSQL. */
let network: Network
let person: WireClient
beforeAll(async () => {
  network = await startNetwork({ servers: 2 })
  person = await signUp(network.url)
})
afterAll(() => network?.stop())

describe('two servers on one database', () => {
  const second = () => network.urls[1] as string

  it('share sessions, assets and nodes at once', async () => {
    const { cid } = await person.upload(new Uint8Array(randomBytes(200_000)), 'both.bin')
    const answer = await (
      await fetch(`${second()}/api/v1/storage/share_asset?asset_cid=${cid}`, {
        headers: { JwtAuthorization: `Bearer ${person.token}` },
      })
    ).json()
    expect(answer).toMatchObject({ code: 0, data: { asset_cid: cid } })
  })

  it('send each mail once', async () => {
    const before = await signUp(second())
    const { mails } = (await (await fetch(`${network.url}/dev/mailbox.json?to=${before.username}`)).json()) as {
      mails: unknown[]
    }
    expect(mails).toHaveLength(1)
  })

  it('both reject a session that was signed out on one', async () => {
    const customer = await signUp(network.url)
    await customer.post('/api/v1/user/logout', {})
    await until(async () => {
      const answer = await (
        await fetch(`${second()}/api/v1/storage/get_vip_info`, {
          headers: { JwtAuthorization: `Bearer ${customer.token}` },
        })
      ).json()
      return answer.code === 401
    }, 2000)
  })

  it('keep working when one of them is killed', async () => {
    network.servers[1]?.process.kill('SIGKILL')
    const { cid } = await person.upload(new Uint8Array(randomBytes(100_000)), 'after.bin')
    await until(async () => (await person.download(cid)).length === 100_000)
  })
})
