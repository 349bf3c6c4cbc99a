import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** For tests: a passkey in software, which acts as authenticator and browser. */

const UP = 0x01
const UV = 0x04
const BACKED_UP = 0x18
const WITH_KEY = 0x40

export interface Asked {
  challenge: string
}

export interface Answering {
  origin?: string
  rpId?: string
  counter?: number
  /** The device has verified the user. */
  verified?: boolean
  handle?: string
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

export function samplePasskey(uid: string, origin = 'http://portal.test', { synced = false } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
  let used = 0

  const head = ({ rpId, counter, verified = true }: Answering, more: number) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? used)
    const flags = UP | (verified ? UV : 0) | (synced ? BACKED_UP : 0) | more
    return Buffer.concat([sha256(rpId ?? new URL(origin).hostname), Buffer.from([flags]), count])
  }
  const client = (type: string, { challenge }: Asked, answering: Answering) =>
    text64({ type, challenge, origin: answering.origin ?? origin, crossOrigin: false })

  /** Common fields of the browser's responses. */
  const credential = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    clientExtensionResults: {},
  }

  return {
    id: credential.id,
    /** The result of `navigator.credentials.create`. */
    made(asked: Asked, answering: Answering = {}) {
      const coordinate = (value: string) => Buffer.concat([Buffer.from([0x58, 0x20]), Buffer.from(value, 'base64url')])
      const key = Buffer.concat([
        Buffer.from('a5010203262001', 'hex'),
        Buffer.from([0x21]),
        coordinate(x),
        Buffer.from([0x22]),
        coordinate(y),
      ])
      const data = Buffer.concat([head(answering, WITH_KEY), Buffer.alloc(16), Buffer.from([0, 32]), id, key])
      const object = Buffer.concat([
        Buffer.from([0xa3, 0x63]),
        Buffer.from('fmt'),
        Buffer.from([0x64]),
        Buffer.from('none'),
        Buffer.from([0x67]),
        Buffer.from('attStmt'),
        Buffer.from([0xa0, 0x68]),
        Buffer.from('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      return {
        ...credential,
        response: {
          clientDataJSON: client('webauthn.create', asked, answering),
          attestationObject: object.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** The result of `navigator.credentials.get`; increments the counter unless one is given. */
    shown(asked: Asked, answering: Answering = {}) {
      used += 1
      const clientDataJSON = client('webauthn.get', asked, answering)
      const authenticatorData = head(answering, 0)
      const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
      return {
        ...credential,
        response: {
          clientDataJSON,
          authenticatorData: authenticatorData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          userHandle: answering.handle ?? Buffer.from(uid).toString('base64url'),
        },
      }
    },
  }
}
