import { expect, it } from 'vitest'
import { type ChainPort, ChainRefusal } from './chain-port.ts'
import { createOperator } from './operator.ts'

const refusal = () => new ChainRefusal('sdk', 4, 'signature verification failed; please verify account number (7)')

/** A node, with a block at every question about its height. It refuses signatures until it has made this many. */
function nodeThatStarts({ blocks }: { blocks: number }) {
  let height = 100
  const accepted: Uint8Array[] = []
  const port = {
    status: async () => ({ height: height++, time: new Date(0) }),
    account: async () => ({ number: 7, sequence: 3 }),
    broadcast: async (bytes: Uint8Array) => {
      if (height < 100 + blocks) throw refusal()
      accepted.push(bytes)
      return { hash: '', known: false }
    },
  } as unknown as ChainPort
  const fees = { of: async () => ({ amount: '1', gas: '1' }), forget: () => false }
  const operator = createOperator({
    port,
    privateKey: new Uint8Array(32).fill(1),
    chainId: 'test-1',
    prefix: 'tide',
    denom: 'utide',
    fees: fees as never,
  })
  return { operator, accepted }
}

const MESSAGE = { coins: [{ to: 'tide1', amount: 1n }] }

it('sends again after the next block if a node that has just started refuses the signature', async () => {
  const { operator, accepted } = nodeThatStarts({ blocks: 3 })
  const signed: string[] = []
  const { hash } = await operator.submit([MESSAGE], { onSigned: async (each) => void signed.push(each.hash) })
  expect(accepted).toHaveLength(1)
  // Both were stored before they were sent.
  expect(signed).toHaveLength(2)
  expect(signed[1]).toBe(hash)
})

it('gives up on a signature that is refused after a block, too', async () => {
  const { operator, accepted } = nodeThatStarts({ blocks: 1000 })
  await expect(operator.submit([MESSAGE])).rejects.toMatchObject({ codespace: 'sdk', code: 4 })
  expect(accepted).toHaveLength(0)
})
