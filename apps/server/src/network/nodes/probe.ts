import { randomBytes } from 'node:crypto'
import { healthAnswer } from '@tidenet/contract'
import { guardedBytes } from '@tidenet/daemon'
import { plainAddress } from './address-countries.ts'
import { healthText, isSignedBy } from './signatures.ts'

const TIMEOUT_MS = 2000
const ANSWER_MAX = 4096

/**
 * The IP address from which the node answers at its URL with its signature over a nonce; undefined if it does not.
 * @param more.anyCertificate it may have one of its own making: its signature proves who it is
 */
export async function addressOf(
  node: { id: string; public_key: string; url: string },
  privateToo: boolean,
  { withinMs = TIMEOUT_MS, anyCertificate = false }: { withinMs?: number; anyCertificate?: boolean } = {},
): Promise<string | undefined> {
  const nonce = randomBytes(16).toString('base64url')
  try {
    const { status, bytes, address } = await guardedBytes(`${node.url}/health?nonce=${nonce}`, {
      most: ANSWER_MAX,
      withinMs,
      privateToo,
      // A connection without a verified certificate serves nothing else.
      ...(anyCertificate && { once: true, anyCertificate }),
    })
    if (status !== 200) return undefined
    const parsed = healthAnswer.parse(JSON.parse(bytes.toString()))
    const isSigned = isSignedBy(node.public_key, healthText(node.id, nonce), parsed.signature)
    return parsed.node_id === node.id && isSigned ? plainAddress(address) : undefined
  } catch {
    return undefined
  }
}
