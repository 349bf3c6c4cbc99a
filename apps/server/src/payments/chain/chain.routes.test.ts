import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createChainPort } from '@tidenet/chain-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { type SampleChain, startSampleChain } from './sample-chain.fixture.ts'

let chain: SampleChain
let env: TestEnv
let origin: string
beforeAll(async () => {
  chain = await startSampleChain()
  env = await setup({ chain: chain.config })
  await env.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(env.app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await env?.close()
  await chain?.stop()
})

/** Requests a path without normalizing it. */
const statusOf = (path: string) =>
  new Promise((resolve, reject) => {
    const sent = request(origin, { path }, (answer) => resolve(answer.resume().statusCode))
    sent.on('error', reject)
    sent.end()
  })

describe('settings', () => {
  it('contain everything that a wallet needs', async () => {
    const { data } = await env.call('chain.settings', {})
    expect(data).toEqual({
      chain_id: 'tidenet-devnet-1',
      prefix: 'tide',
      denom: 'utide',
      coin: 'TIDE',
      decimals: 6,
      token: { address: chain.config.token, name: 'Tidenet test coin', symbol: 'cTNT', decimals: 2 },
      orders: chain.config.orders,
      fee: { amount: '500', gas: '990000' },
      gas_prices: { low: 0.005, average: 0.025, high: 0.03 },
      rpc: '/chain/rpc',
      rest: '/chain/rest',
      websocket: '/chain/rpc/websocket',
      development: true,
    })
  })
})

describe('forwarded under the portal’s origin:', () => {
  it('RPC, by POST and GET', async () => {
    const through = createChainPort({ urls: [`${origin}/chain/rpc`], chainId: 'tidenet-devnet-1' })
    expect((await through.status()).height).toBeGreaterThanOrEqual(0)
    expect(await through.query(chain.config.token, { token_info: {} })).toMatchObject({ symbol: 'cTNT' })
    const status = await fetch(`${origin}/chain/rpc/status`)
    expect(await status.json()).toMatchObject({ result: { node_info: { network: 'tidenet-devnet-1' } } })
  })

  it('REST, with the status codes that wallets expect', async () => {
    const at = (path: string) => fetch(`${origin}/chain/rest/cosmos${path}`)
    expect(await (await at('/base/tendermint/v1beta1/node_info')).json()).toMatchObject({
      default_node_info: { network: 'tidenet-devnet-1' },
    })
    expect((await at('/bank/v1beta1/spendable_balances/test')).status).toBe(400)
    expect((await at('/evidence/v1beta1/evidence')).status).toBe(501)
  })

  it('requests of other origins', async () => {
    const preflight = await fetch(`${origin}/chain/rpc`, { method: 'OPTIONS' })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-private-network')).toBe('true')
  })

  it('the websocket', async () => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/chain/rpc/websocket`)
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = reject
    })
    const message = new Promise((resolve) => socket.on('message', (text) => resolve(JSON.parse(String(text)))))
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'status', params: {} }))
    expect(await message).toMatchObject({ id: 7, result: { node_info: { network: 'tidenet-devnet-1' } } })
    socket.close()
  })
})

describe('rejects', () => {
  it('paths outside of the chain’s URLs', async () => {
    for (const path of [
      '/%2e%2e/x',
      '/a/%2E%2e/%2e%2e/etc',
      '//other.test/',
      '/@other.test',
      '/a%5c..%5cb',
      '/\\other',
    ])
      expect(await statusOf(`/chain/rest${path}`), path).toBe(400)
  })

  it('requests that are too large', async () => {
    const answer = await env.app.inject({
      method: 'POST',
      url: '/chain/rpc',
      headers: { 'content-type': 'application/json' },
      payload: 'x'.repeat(1024 * 1024 + 1),
    })
    expect(answer.statusCode).toBe(413)
  })

  it('websockets at other paths', async () => {
    for (const path of ['/chain/rpc/other', '/nothing']) {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`)
      expect(
        await new Promise((resolve) => {
          socket.onopen = () => resolve('open')
          socket.onerror = () => resolve('refused')
        }),
      ).toBe('refused')
    }
  })

  it('all requests while the chain is unavailable, and none afterwards', async () => {
    await chain.kill()
    const answer = await fetch(`${origin}/chain/rpc`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { code: -32603 } })
    expect((await fetch(`${origin}/chain/rest/cosmos/bank`)).status).toBe(502)
    await chain.restart()
    expect((await fetch(`${origin}/chain/rpc/status`)).status).toBe(200)
  })

  it('all requests without a chain', async () => {
    const without = await setup()
    expect(await without.call('chain.settings', {})).toMatchObject({ code: -1, err: 1004 })
    expect((await without.app.inject({ method: 'POST', url: '/chain/rpc', payload: {} })).statusCode).toBe(404)
    await without.close()
  })
})
