import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UNKNOWN_AREA } from '@tidenet/contract'
import { StartError } from '@tidenet/daemon'
import { describe, expect, it } from 'vitest'
import { readNodeConfig } from './config.ts'
import { openIdentity } from './identity.ts'

const least = {
  TIDENET_SERVER: 'http://127.0.0.1:8080/',
  TIDENET_NODE_DATA: '/data',
}
const refusal = (env: Record<string, string>) => {
  try {
    readNodeConfig(env)
  } catch (error) {
    return error as Error
  }
  return undefined
}

describe('the configuration of a node', () => {
  it('needs a server and a folder, and nothing else', () => {
    expect(readNodeConfig(least)).toMatchObject({
      area: UNKNOWN_AREA,
      server: 'http://127.0.0.1:8080',
      host: '127.0.0.1',
      port: 0,
      kind: 'edge',
      url: undefined,
    })
  })

  it('accepts sizes with units', () => {
    expect(readNodeConfig({ ...least, TIDENET_NODE_CAPACITY: '2GiB' }).capacity).toBe(2 ** 31)
  })

  it('calls nodes at private addresses in production only when told so, or when its server has one', () => {
    const may = (more: Record<string, string>) => readNodeConfig({ ...least, ...more }).privateNodes
    const downloaded = { TIDENET_SERVER: 'https://portal.example' }
    expect(may({})).toBe(true)
    expect(may(downloaded)).toBe(false)
    expect(may({ ...downloaded, TIDENET_ENV: 'development' })).toBe(true)
    expect(may({ ...downloaded, TIDENET_PRIVATE_NODES: 'yes' })).toBe(true)
    for (const inside of ['192.168.1.5', 'localhost', 'server', 'portal.internal', 'portal.local'])
      expect(may({ TIDENET_SERVER: `http://${inside}:8080` })).toBe(true)
    expect(may({ TIDENET_PRIVATE_NODES: 'no' })).toBe(false)
  })

  it('is refused with all its errors', () => {
    const error = refusal({
      TIDENET_SERVER: 'nonsense',
      TIDENET_NODE_KIND: 'king',
      TIDENET_NODE_LAT: '91',
      TIDENET_NODE_AREA: 'x',
    })
    expect(error).toBeInstanceOf(StartError)
    for (const name of [
      'TIDENET_SERVER',
      'TIDENET_NODE_DATA',
      'TIDENET_NODE_KIND',
      'TIDENET_NODE_AREA',
      'TIDENET_NODE_LAT',
    ])
      expect(error?.message).toContain(name)
  })

  it('is refused with faults outside of tests', () => {
    expect(refusal({ ...least, TIDENET_NODE_FAULT: 'flip-bits', TIDENET_ENV: 'production' })).toBeInstanceOf(StartError)
    expect(refusal({ ...least, TIDENET_NODE_FAULT: 'flip-bits', TIDENET_ENV: 'test' })).toBeUndefined()
  })
})

describe('the identity of a node', () => {
  const setup = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tidenet-identity-'))
    return { folder, path: join(folder, 'node.key'), end: () => rm(folder, { recursive: true }) }
  }

  it('is created once and readable only by its owner', async () => {
    const { folder, path, end } = await setup()
    const first = await openIdentity(folder, 'candidate')
    const again = await openIdentity(folder, 'candidate')
    expect(again.id).toBe(first.id)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await end()
  })

  it('is not replaced when its file is damaged', async () => {
    const { folder, path, end } = await setup()
    await writeFile(path, 'nonsense')
    await expect(openIdentity(folder, 'edge')).rejects.toBeInstanceOf(StartError)
    await end()
  })
})
