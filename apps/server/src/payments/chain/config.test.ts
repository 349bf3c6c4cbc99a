import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '@tidenet/daemon'
import { afterAll, describe, expect, it } from 'vitest'
import { readChainConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidenet-chain-config-'))
afterAll(() => rmSync(folder, { recursive: true }))
function keyFile(text: string): string {
  const file = join(folder, `${text.length}.key`)
  writeFileSync(file, text)
  return file
}

const contracts = {
  TIDENET_CHAIN_TOKEN: 'tide1t3xhkq3etmw7fu877jhs8px6rf3lf65rztye30xt3px3l08qd6usuzu2jn',
  TIDENET_CHAIN_ORDERS: 'tide1eny2x07pxqs5d2d7cxkuqdmqczath2znm8uaxqxxz7fru2uhhn0sytdt58',
}
const read = (env: Record<string, string>) => readChainConfig(env, false)

describe('the settings of the chain', () => {
  it('mean no chain by default', () => {
    expect(read({})).toMatchObject({ rpc: [], id: 'tidenet-devnet-1', prefix: 'tide', denom: 'utide', key: undefined })
    expect(read({}).faucet).toEqual({ amount: 400, hourly: 10_000, gas: 200_000n, zone: 480, perNetwork: 10 })
    expect(read({}).rewards).toEqual({ token: '', rate: 1, min: 10 })
  })

  it('accept several URLs, and older names of variables', () => {
    const env = {
      ...contracts,
      CHAIN_RPC_URL: 'http://a.test:26657/, https://b.test/rpc',
      CHAIN_ID: 'one-2',
      CHAIN_PREFIX: 'one',
    }
    expect(read(env)).toMatchObject({
      rpc: ['http://a.test:26657', 'https://b.test/rpc'],
      id: 'one-2',
      prefix: 'one',
      denom: 'uone',
    })
    expect(read({ ...env, TIDENET_CHAIN_RPC: 'http://c.test' }).rpc).toEqual(['http://c.test'])
  })

  it('contain the key and the time zone', () => {
    const env = {
      ...contracts,
      TIDENET_CHAIN_RPC: 'http://a.test',
      TIDENET_CHAIN_KEY_FILE: keyFile(`${'ab'.repeat(32)}\n`),
    }
    expect(read(env).key).toHaveLength(32)
    expect(read({ TIDENET_FAUCET_ZONE: '-03:30' }).faucet.zone).toBe(-210)
  })
})

describe('rejects', () => {
  const cases: [name: string, env: Record<string, string>][] = [
    ['a chain without its contracts', { TIDENET_CHAIN_RPC: 'http://a.test' }],
    ['URLs that are not http', { ...contracts, TIDENET_CHAIN_RPC: 'file:///etc/passwd' }],
    ['a fraction of a coin per point', { TIDENET_REWARD_RATE: '0.5' }],
    ['redemptions of no points', { TIDENET_REWARD_MIN: '0' }],
    ['a reward token that is not an address', { TIDENET_CHAIN_REWARDS_TOKEN: 'TTNT' }],
    ['a zone without a sign', { TIDENET_FAUCET_ZONE: '08:00' }],
    ['a claim above the hourly limit', { TIDENET_FAUCET_AMOUNT: '500', TIDENET_FAUCET_HOURLY: '400' }],
    ['a missing key file', { ...contracts, TIDENET_CHAIN_RPC: 'http://a.test', TIDENET_CHAIN_KEY_FILE: '/nowhere' }],
  ]
  it.each(cases)('%s', (_, env) => {
    expect(() => read(env)).toThrow(StartError)
  })

  it('an invalid key', () => {
    const env = { ...contracts, TIDENET_CHAIN_RPC: 'http://a.test', TIDENET_CHAIN_KEY_FILE: keyFile('secret') }
    expect(() => read(env)).toThrow(StartError)
  })
})
