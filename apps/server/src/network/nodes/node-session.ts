import { jwtVerify, SignJWT } from 'jose'
import type { NodeCaller } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'

const LIFE = '24h'
const recent = new Map<string, { node: NodeCaller; until: number }>()

/** What a registered node shows with every other call. */
export async function nodeToken({ keys, clock }: Pick<Context, 'keys' | 'clock'>, nodeId: string): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(nodeId)
    .setAudience('node')
    .setIssuedAt(new Date(clock.now()))
    .setExpirationTime(new Date(clock.now() + 24 * 3600 * 1000))
    .sign(keys.nodeSession)
}

export async function readNodeToken(
  { keys, clock }: Pick<Context, 'keys' | 'clock'>,
  token: string,
): Promise<NodeCaller | undefined> {
  // The same token comes with every heartbeat of a node: its signature is checked once a minute.
  const known = recent.get(token)
  if (known && known.until > Date.now()) return known.node
  try {
    const { payload } = await jwtVerify(token, keys.nodeSession, {
      algorithms: ['HS256'],
      audience: 'node',
      maxTokenAge: LIFE,
      currentDate: new Date(clock.now()),
    })
    if (!payload.sub) return undefined
    const node: NodeCaller = { kind: 'node', nodeId: payload.sub }
    if (recent.size > 20_000) recent.clear()
    recent.set(token, { node, until: Date.now() + 60_000 })
    return node
  } catch {
    return undefined
  }
}
