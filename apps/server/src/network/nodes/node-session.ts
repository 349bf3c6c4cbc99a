import { jwtVerify, SignJWT } from 'jose'
import { DAY } from '../../platform/ago.ts'
import type { NodeCaller } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'

const TOKEN_LIFE = DAY
/** Verified tokens. Nodes send the same token with every heartbeat, so signatures are verified once a minute. */
const verified = new Map<string, { node: NodeCaller; until: number }>()

/** The token that a node sends with every call after registration. */
export async function nodeToken({ keys, clock }: Pick<Context, 'keys' | 'clock'>, nodeId: string): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(nodeId)
    .setAudience('node')
    .setIssuedAt(new Date(clock.now()))
    .setExpirationTime(new Date(clock.now() + TOKEN_LIFE))
    .sign(keys.nodeSession)
}

export async function readNodeToken(
  { keys, clock }: Pick<Context, 'keys' | 'clock'>,
  token: string,
): Promise<NodeCaller | undefined> {
  const known = verified.get(token)
  if (known && known.until > Date.now()) return known.node
  try {
    const { payload } = await jwtVerify(token, keys.nodeSession, {
      algorithms: ['HS256'],
      audience: 'node',
      maxTokenAge: TOKEN_LIFE / 1000,
      currentDate: new Date(clock.now()),
    })
    if (!payload.sub) return undefined
    const node: NodeCaller = { kind: 'node', nodeId: payload.sub }
    if (verified.size > 20_000) verified.clear()
    verified.set(token, { node, until: Date.now() + 60_000 })
    return node
  } catch {
    return undefined
  }
}
