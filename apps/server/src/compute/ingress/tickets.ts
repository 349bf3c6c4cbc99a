import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * What a visitor may open. A ticket is in an address once, for a minute; a pass is in a cookie.
 */
export interface Pass {
  kind: 'ticket' | 'pass'
  /** The label of the address. */
  label: string
  /** The program: a domain can lead to that of another tenant later. */
  workload: string
  /** Hash of a session of the console, hex; or of the stored password. */
  by: { session: string } | { password: string }
  /** Unix ms. */
  until: number
  /** Makes each ticket different. */
  id: string
}

export const TICKET_MS = 60_000
export const PASS_MS = 12 * 3_600_000

export const newPass = (pass: Omit<Pass, 'id'>): Pass => ({ ...pass, id: randomBytes(12).toString('base64url') })

const mac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest()

export function sealPass(key: Uint8Array, pass: Pass): string {
  const text = Buffer.from(JSON.stringify(pass)).toString('base64url')
  return `${text}.${mac(key, text).toString('base64url')}`
}

/** Undefined if it was changed, is for something else, or is over. */
export function readPass(
  key: Uint8Array,
  sealed: string,
  expected: Pick<Pass, 'kind' | 'label'>,
  at: number,
): Pass | undefined {
  const [text = '', tag = ''] = sealed.split('.')
  const given = Buffer.from(tag, 'base64url')
  const right = mac(key, text)
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
  const pass = JSON.parse(Buffer.from(text, 'base64url').toString()) as Pass
  return pass.kind === expected.kind && pass.label === expected.label && pass.until > at ? pass : undefined
}
