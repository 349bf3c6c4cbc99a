import { createHmac, timingSafeEqual } from 'node:crypto'
import { OPTIONAL_NOTICES, type OptionalNotice } from '@tidenet/contract'
import type { Keys } from '../../platform/keys.ts'

/**
 * `<kind>.<uid>.<HMAC>`: lets whoever has an e-mail turn off e-mails of its kind, and nothing else. It does not expire, because people
 * unsubscribe from old e-mails.
 */
export function unsubscribeToken(keys: Pick<Keys, 'unsubscribe'>, uid: string, kind: OptionalNotice): string {
  const claim = `${kind}.${uid}`
  return `${claim}.${sign(keys, claim).toString('base64url')}`
}

/** @returns undefined unless the token was issued by a server with these keys */
export function readUnsubscribeToken(
  keys: Pick<Keys, 'unsubscribe'>,
  token: string,
): { uid: string; kind: OptionalNotice } | undefined {
  const [, name, uid = '', signature = ''] = /^(\w+)\.(.+)\.([\w-]{43})$/.exec(token) ?? []
  const kind = OPTIONAL_NOTICES.find((each) => each === name)
  if (!kind) return undefined
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(keys, `${kind}.${uid}`)
  return given.length === expected.length && timingSafeEqual(given, expected) ? { uid, kind } : undefined
}

const sign = ({ unsubscribe }: Pick<Keys, 'unsubscribe'>, claim: string): Buffer =>
  createHmac('sha256', unsubscribe).update(claim).digest()
