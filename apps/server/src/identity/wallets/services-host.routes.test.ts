import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { cosmosWallet, evmWallet, place, type SampleWallet } from './sample-wallets.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup({ servicesHost: 'services.portal.test' })
})
afterAll(() => env.close())

const kinds: [string, () => SampleWallet][] = [
  ['of the chain', cosmosWallet],
  ['with 0x', evmWallet],
]
/** A browser at one of the portal's hosts. */
function browserAt(host: string, remoteAddress = place().ip) {
  const headers = (token?: string) => ({ host, ...(token && { jwtauthorization: `Bearer ${token}` }) })
  const post = async (url: string, payload: object, token?: string) =>
    (await env.app.inject({ method: 'POST', url, payload, remoteAddress, headers: headers(token) })).json()
  const ask = async (url: string, query: Record<string, string>, token?: string): Promise<string> =>
    (await env.app.inject({ url, query, remoteAddress, headers: headers(token) })).json().data.code
  const text = (username: string) => ask('/api/v1/storage/login_before', { username })
  const bindText = (address: string, token: string) => ask('/api/v1/platform/bind_nonce', { address }, token)
  const signIn = async ({ address: username, publicKey }: SampleWallet, sign: string) =>
    post('/api/v1/user/login', { username, publicKey, sign })
  return { post, text, bindText, signIn }
}
/** The host in a message, as wallets parse it. */
const named = (text: string) => text.split(/[^\w.:-]/, 1)[0]

describe.each(kinds)('a text for a wallet %s', (_, wallet) => {
  it('names the host that the user is at, and is valid there', async () => {
    for (const host of ['portal.test', 'services.portal.test']) {
      const mine = wallet()
      const at = browserAt(host)
      const text = await at.text(mine.address)
      expect(named(text)).toBe(host)
      if (!mine.publicKey) expect(text).toContain(`URI: http://${host}\n`)
      expect(await at.signIn(mine, await mine.sign(text))).toMatchObject({ code: 0 })
    }
  })

  it('can link a wallet at the services host', async () => {
    const [mine, person, at] = [wallet(), await env.person(), browserAt('services.portal.test')]
    const code = await at.bindText(mine.address, person.token)
    expect(named(code)).toBe('services.portal.test')
    const url = mine.publicKey ? '/api/v1/platform/bind_keplr' : '/api/v2/wallet/bind'
    const proof = { address: mine.address, publicKey: mine.publicKey, sign: await mine.sign(code) }
    expect(await at.post(url, proof, person.token)).toMatchObject({ code: 0 })
  })

  it('is of the right host, even if many were requested at the other', async () => {
    const [mine, { ip }] = [wallet(), place()]
    const [portal, services] = [browserAt('portal.test', ip), browserAt('services.portal.test', ip)]
    for (let asked = 0; asked < 8; asked++) expect(named(await portal.text(mine.address))).toBe('portal.test')
    const text = await services.text(mine.address)
    expect(named(text)).toBe('services.portal.test')
    for (let asked = 0; asked < 8; asked++) await portal.text(mine.address)
    expect(await services.signIn(mine, await mine.sign(text))).toMatchObject({ code: 0 })
  })

  it('never names a forged host', async () => {
    for (const host of [
      'evil.test',
      'services.portal.test.evil.test',
      'xservices.portal.test',
      'portal.test.evil.test',
    ])
      expect(named(await browserAt(host).text(wallet().address))).toBe('portal.test')
  })

  it('is refused at the other host', async () => {
    const mine = wallet()
    const { ip } = place()
    const [portal, services] = [browserAt('portal.test', ip), browserAt('services.portal.test', ip)]
    const sign = await mine.sign(await services.text(mine.address))
    expect(await portal.signIn(mine, sign)).toMatchObject({ code: 401 })
    expect(await services.signIn(mine, sign)).toMatchObject({ code: 0 })
    const person = await env.person()
    const code = await portal.bindText(mine.address, person.token)
    const url = mine.publicKey ? '/api/v1/platform/bind_keplr' : '/api/v2/wallet/bind'
    const proof = { address: mine.address, publicKey: mine.publicKey, sign: await mine.sign(code) }
    expect(await services.post(url, proof, person.token)).toMatchObject({ err: errors.walletSignature.err })
  })
})
