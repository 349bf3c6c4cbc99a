import { randomBytes } from 'node:crypto'
import type { VaultWayKind } from '@tidenet/contract'
import type { Person, TestEnv } from '../../test-env.fixture.ts'

/** For tests: wraps of the right shape, which nobody can open. */

const text = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')

const stanza = (kind: VaultWayKind): string =>
  ({
    kit: `X25519 ${text(32)}`,
    passphrase: `scrypt ${text(16)} 18`,
    passkey: `age-encryption.org/fido2prf ${text(16)}`,
  })[kind]

export function armored(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN AGE ENCRYPTED FILE-----', ...lines, '-----END AGE ENCRYPTED FILE-----', ''].join('\n')
}

export function sampleWrap(
  kind: VaultWayKind,
  more: { stanza?: string; payload?: number; version?: string } = {},
): string {
  const header = [
    more.version ?? 'age-encryption.org/v1',
    `-> ${more.stanza ?? stanza(kind)}`,
    text(32),
    `--- ${text(32)}`,
    '',
  ]
  return armored(Buffer.concat([Buffer.from(header.join('\n')), randomBytes(more.payload ?? 107)]))
}

export const sampleWay = (kind: VaultWayKind, name: string = kind) => ({
  kind,
  name,
  wrap: sampleWrap(kind),
  credential: kind === 'passkey' ? 'AGE-PLUGIN-FIDO2PRF-1QQQQQQ' : '',
})

const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
export const sampleRecipient = () => `age1${[...randomBytes(58)].map((byte) => LETTERS[byte % 32]).join('')}`

/** Gives the account a vault. */
export async function sampleVault(env: TestEnv, person: Pick<Person, 'token'>): Promise<{ recipient: string }> {
  const recipient = sampleRecipient()
  const answer = await env.call(
    'vault.create',
    { recipient, ways: [sampleWay('kit'), sampleWay('passphrase')] },
    person,
  )
  if (answer.code !== 0) throw new Error(answer.msg)
  return { recipient }
}
