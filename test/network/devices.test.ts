import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { signUp, until, type WireClient, wireClient } from './wire-client.ts'

let network: Network
beforeAll(async () => {
  network = await startNetwork({ nodes: 1 })
})
afterAll(() => network?.stop())

interface Device {
  node_id: string
  name: string
  status: string
}

const codeOf = async (owner: WireClient): Promise<string> =>
  (await owner.post<{ code: string }>('/api/v1/devices/code', {})).data.code
const devicesOf = async (owner: WireClient): Promise<Device[]> =>
  (await owner.get<{ list: Device[] }>('/api/v1/devices')).data.list

/** Subjects of e-mails about devices, newest first. */
async function mailsTo(username: string): Promise<string[]> {
  const { mails } = (await (await fetch(`${network.url}/dev/mailbox.json?to=${username}`)).json()) as {
    mails: { subject: string; code: string | null }[]
  }
  return mails.filter(({ code }) => code === null).map(({ subject }) => subject)
}

describe('a node with an owner', () => {
  it('is online while it runs; its owner gets e-mails when it goes offline and comes back', {
    tags: ['long'],
  }, async () => {
    const owner = await signUp(network.url)
    const env = { TIDENET_NODE_OWNER: await codeOf(owner) }
    const node = await network.addNode({ name: 'lighthouse', kind: 'edge', env })
    const stateIs = (status: string) =>
      until(async () => (await devicesOf(owner)).find((each) => each.node_id === node.id && each.status === status))
    expect(await stateIs('online')).toMatchObject({ name: 'lighthouse' })
    expect(await mailsTo(owner.username)).toEqual([])

    node.process.kill('SIGKILL')
    await stateIs('offline')
    const [away] = await until(async () => {
      const mails = await mailsTo(owner.username)
      return mails.length > 0 && mails
    })

    await node.process.restart()
    await stateIs('online')
    const mails = await until(async () => {
      const all = await mailsTo(owner.username)
      return all.length > 1 && all
    })
    expect(mails).toHaveLength(2)
    expect(mails[1]).toBe(away)
    expect(mails[0]).not.toBe(away)
  })

  it('runs without an owner if the code is unknown', { tags: ['long'] }, async () => {
    const owner = await signUp(network.url)
    const node = await network.addNode({ kind: 'edge', env: { TIDENET_NODE_OWNER: `own_${'x'.repeat(22)}` } })
    const everybody = wireClient(network.url)
    await until(async () => {
      const { data } = await everybody.get<{ status: string }>('/api/v1/network/node', { node_id: node.id })
      return data?.status === 'online'
    })
    expect(await devicesOf(owner)).toEqual([])
  })

  it('does not start with a malformed code', async () => {
    await expect(network.addNode({ kind: 'edge', env: { TIDENET_NODE_OWNER: 'mine' } })).rejects.toThrow(/own_/)
  })
})
