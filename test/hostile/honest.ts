import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GiB, type NodeKind } from '@tidenet/contract'
import { createNode } from '../../apps/node/src/app.ts'
import { openIdentity } from '../../apps/node/src/identity.ts'
import type { TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { type Bend, openFront, openGate } from './gate.ts'

/** A node of the real software, in this process, with the clock of the server. */
export type RealNode = Awaited<ReturnType<typeof realNode>>

export interface RealNodeOptions {
  kind: NodeKind
  /** Where it listens and calls from: each 127.a.b is a network of its own. */
  address: string
  area?: string
  /** Of an attacker: what it changes. */
  bend?: Bend
}

export async function realNode(
  env: TestEnv,
  server: string,
  { kind, address, area = 'Europe-Germany-Hesse-Frankfurt', bend }: RealNodeOptions,
) {
  const data = await mkdtemp(join(tmpdir(), 'tidenet-hostile-'))
  const gate = await openGate(address, server, bend)
  const front = bend && (await openFront(address, bend))
  // Behind a front it listens elsewhere, but the front knows where only after the node has registered.
  const node = await createNode({
    env: 'test',
    server: gate.origin,
    host: address,
    port: 0,
    data,
    kind,
    area,
    capacity: 10 * GiB,
    latitude: 50,
    longitude: 8,
    url: front?.origin,
    name: address,
    joinToken: kind === 'edge' ? '' : env.context.config.joinToken,
    owner: '',
    logLevel: 'silent',
    privateNodes: true,
    localAddress: address,
    clock: env.clock,
  })
  front?.leadTo(node.url)
  const { sign } = await openIdentity(data, kind)
  return {
    id: node.id,
    kind,
    address,
    beat: () => gate.beat(),
    /** What the node's software would not say. */
    call: gate.call,
    sign,
    /** Refuses all connections, or accepts them again. */
    vanish: (away: boolean) => front?.vanish(away),
    async stop() {
      await Promise.all([gate.close(), front?.close()])
      await node.stop()
      await rm(data, { recursive: true, force: true })
    },
  }
}
