import { Secret, TOTP } from 'otpauth'

/** The parameters that all authenticator apps support (RFC 6238). */
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

/** The secret in base32, and as otpauth:// URI for a QR code. */
export function describeSecret(secret: Uint8Array, label: string): { secret: string; uri: string } {
  const totp = totpOf(secret, label)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The 30-second time step of a code: the current, previous or next one. Undefined: the code is wrong. */
export function stepOf(secret: Uint8Array, code: string, at: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: at, window: 1 })
  return delta === null ? undefined : Math.floor(at / 1000 / PERIOD) + delta
}

/** For tests: what an authenticator app shows. */
export const codeAt = (base32: string, at: number): string =>
  totpOf(Secret.fromBase32(base32).bytes).generate({ timestamp: at })
