import { Secret, TOTP } from 'otpauth'

/** RFC 6238 as every authenticator app knows it. */
const PERIOD = 30
const DIGITS = 6
const SECRET_BYTES = 20

export const newSecret = (): Uint8Array => new Uint8Array(new Secret({ size: SECRET_BYTES }).bytes)

const totpOf = (secret: Uint8Array, label = '') =>
  new TOTP({
    issuer: 'Tidenet',
    label,
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
  })

/** The key for typing, and as otpauth:// for a QR code. */
export function describeSecret(secret: Uint8Array, label: string): { secret: string; uri: string } {
  const totp = totpOf(secret, label)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The step of 30 s that the code belongs to: the present one, or the one before or after it. Undefined: it does not fit. */
export function stepOf(secret: Uint8Array, code: string, at: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: at, window: 1 })
  return delta === null ? undefined : Math.floor(at / 1000 / PERIOD) + delta
}

/** For tests: what an authenticator app shows. */
export const codeAt = (base32: string, at: number): string =>
  totpOf(Secret.fromBase32(base32).bytes).generate({ timestamp: at })
