import { createChainPort, createFees, createOperator } from '@tidenet/chain-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingChain, describeChainClient } from '../network/chain-client.ts'
import { startWasmd, WASMD_GAS_PRICE, WASMD_ID, type Wasmd } from './wasmd.ts'

let chain: Wasmd
beforeAll(async () => {
  chain = await startWasmd()
})
afterAll(() => chain?.stop())

const conforming = (): ConformingChain => ({ ...chain, id: WASMD_ID, gasPrice: WASMD_GAS_PRICE })

describeChainClient('wasmd', conforming)

describe('a real chain', () => {
  const port = () => createChainPort({ urls: [chain.url], chainId: WASMD_ID })
  const operator = (gasPrice?: number) =>
    createOperator({ port: port(), privateKey: chain.key, chainId: WASMD_ID, prefix: 'tide', denom: 'utide', gasPrice })

  it('takes our wasm as it is', () => {
    expect(Number(chain.uploadGas.orders)).toBeGreaterThan(1_000_000)
    expect(Number(chain.uploadGas.token)).toBeGreaterThan(1_000_000)
  })

  it('has accounts whose coins vest, and accounts of modules: ours signs with one', async () => {
    const { sequence = 0 } = (await port().account(chain.operator)) ?? {}
    expect(sequence).toBeGreaterThan(3)
    // As the Cosmos SDK derives them: `fee_collector` and `distribution`.
    for (const name of ['tide17xpfvakm2amg962yls6f84z3kell8c5l30dfcj', 'tide1jv65s3grqf6v6jl3dp4t6c9t9rk99cd8xf246s'])
      expect(
        await port()
          .account(name)
          .catch((error: Error) => error.message),
      ).toMatchObject({ sequence: 0 })
  })

  it('refuses a fee below its price, such as the fixed one of the development chain', async () => {
    const low = operator(500 / 990_000).execute([{ coins: [{ to: chain.operator, amount: 1n }] }])
    await expect(low).rejects.toMatchObject({ codespace: 'sdk', code: 13 })
    expect(await createFees({ port: port(), denom: 'utide' }).price()).toBe(WASMD_GAS_PRICE)
  })

  it('keeps everything when it is killed', async () => {
    const { hash } = await operator().execute([{ coins: [{ to: chain.operator, amount: 1n }] }])
    await chain.restart()
    expect(await port().tx(hash)).toMatchObject({ code: 0 })
    await operator().execute([{ coins: [{ to: chain.operator, amount: 1n }] }])
  })
})
