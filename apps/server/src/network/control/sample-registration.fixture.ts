import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Input, NodeStats, NodeWork, nodeControl, ReportedUpload } from '@tidenet/contract'
import type { TestEnv } from '../../test-env.fixture.ts'
import { nodeToken } from '../nodes/node-session.ts'
import { ownerText, registrationText } from '../nodes/signatures.ts'

/** For tests: signed registrations. */

export type Registration = Input<typeof nodeControl.register>

export const sampleStats: NodeStats = {
  capacity: 1000,
  used: 100,
  free: 900,
  load: 0.5,
  uploads: 0,
  downloads: 0,
  receive_rate: 10,
  send_rate: 20,
  contents: 1,
}

/** Sends a heartbeat of an empty node, with a new token because tests move the clock. @returns the node's work */
export async function sendHeartbeat(
  env: TestEnv,
  node: { id: string },
  options: { room?: number; pulling?: string[]; free?: number; uploads?: ReportedUpload[]; leaving?: boolean } = {},
): Promise<NodeWork[]> {
  return (await answerHeartbeat(env, node, options)).work
}

/** The same; returns the whole answer. */
export async function answerHeartbeat(
  env: TestEnv,
  node: { id: string },
  { free = 1e12, ...more }: NonNullable<Parameters<typeof sendHeartbeat>[2]> = {},
) {
  const token = await nodeToken(env.context, node.id)
  const stats = { ...sampleStats, capacity: 1e12, used: 0, free, load: 0, receive_rate: 0, send_rate: 0, contents: 0 }
  return (await env.call('nodeControl.heartbeat', { stats, time: env.clock.now(), ...more }, { token })).data
}

export const signedBy = (text: string, key: KeyObject): string =>
  sign(null, Buffer.from(text), key).toString('base64url')

/** A signed registration, of an edge unless `more` changes it, with its keys. */
export function sampleRegistration(
  { clock }: Pick<TestEnv, 'clock'>,
  more: Partial<Registration> = {},
  keys = generateKeyPairSync('ed25519'),
) {
  const plain = {
    public_key: keys.publicKey.export({ format: 'jwk' }).x as string,
    kind: 'edge' as const,
    area_id: 'Asia-Singapore-Singapore-Singapore',
    url: 'http://127.0.0.1:9',
    name: 'a node',
    version: '1',
    latitude: 1,
    longitude: 103,
    cpu_cores: 4,
    memory: 8_000_000,
    capacity: 1_000_000,
    time: clock.now(),
    owner_code: '',
    ...more,
  }
  const signature = signedBy(registrationText(plain), keys.privateKey)
  const owner_signature = plain.owner_code && signedBy(ownerText(plain), keys.privateKey)
  return { keys, input: { ...plain, signature, owner_signature } satisfies Registration }
}
