import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secp256k1 } from '@cosmjs/crypto'
import { StartError } from '@tidenet/daemon'
import { addressOf } from './state/addresses.ts'

/** The operator's private key: hex in a file of mode 0600, created at the first start. */
export async function readOperatorKey(
  folder: string,
  prefix: string,
): Promise<{ file: string; privateKey: Uint8Array; address: string }> {
  const file = join(folder, 'operator.key')
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  }
  const privateKey = new Uint8Array(Buffer.from(readFileSync(file, 'utf8').trim(), 'hex'))
  if (privateKey.length !== 32) throw new StartError(`${file} does not hold a key: 64 hex digits.`)
  const { pubkey } = await Secp256k1.makeKeypair(privateKey)
  return { file, privateKey, address: addressOf({ prefix }, Secp256k1.compressPubkey(pubkey)) }
}
