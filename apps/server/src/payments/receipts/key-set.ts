import { type AnchorAddress, receiptKeyId } from '@tidenet/receipts'
import type { JWK } from 'jose'
import { publicSessionKeys } from '../../identity/index.ts'
import type { Context } from '../context.ts'

/**
 * What others recognize this network by, as a JWK set: the keys of session tokens and of receipts, and in the member `anchors` (RFC 7517
 * allows more members) the addresses that sign anchors. Only configured values: a row in the database cannot add an address.
 */
export async function keySet(
  context: Pick<Context, 'db' | 'clock' | 'keys' | 'chain' | 'config'>,
): Promise<{ keys: JWK[]; anchors: AnchorAddress[] }> {
  const { chain, keys, config } = context
  const former = config.formerReceiptKeys.map(({ key, until }) => ({
    ...{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: receiptKeyId(key) },
    ...{ x: key, exp: until },
  }))
  const own = chain?.operator ? [{ chain: chain.config.id, address: chain.operator.address }] : []
  const others = config.anchorAddresses.filter(
    (each) => !own.some((mine) => mine.chain === each.chain && mine.address === each.address),
  )
  return {
    keys: [...(await publicSessionKeys(context)), keys.receiptPublic, ...former],
    anchors: [...own, ...others],
  }
}
