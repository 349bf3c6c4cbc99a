import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from './app.ts'
import { createTestEnv, randomFile, type TestEnv, upload } from './test-env.fixture.ts'

const mountDisk = (folder: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=120m', 'tmpfs', folder], { stdio: 'ignore' })

function deleteDisk(folder: string): void {
  execFileSync('umount', [folder])
  rmSync(folder, { recursive: true })
}

/** Only root on Linux can create a disk. None is kept for a run that skips these tests: nothing would unmount it. */
function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'tidenet-disk-'))
  try {
    mountDisk(folder)
  } catch {
    rmSync(folder, { recursive: true })
    return false
  }
  deleteDisk(folder)
  return true
}

describe.skipIf(!canMount())('a node whose disk is full', () => {
  let data: string
  let ballast: string
  let env: TestEnv
  let node: StorageNode
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'tidenet-disk-'))
    ballast = join(data, 'ballast')
    mountDisk(data)
    env = await createTestEnv()
    node = await env.start({ data })
  })
  afterAll(async () => {
    await env.stop()
    deleteDisk(data)
  })

  /** Fills the disk, as other programs might. */
  const fill = async () => {
    const file = await open(ballast, 'a')
    const block = Buffer.alloc(1 << 16)
    for (let size = block.length; size > 0; )
      await file.appendFile(block.subarray(0, size)).catch(() => {
        size = Math.floor(size / 2)
      })
    await file.close()
  }
  const get = async (at: StorageNode, cid: string) => {
    const token = await env.server.downloadToken(at.id, cid)
    const answer = await fetch(`${at.url}/ipfs/${cid}`, { headers: { authorization: `Bearer ${token}` } })
    return Buffer.from(await answer.arrayBuffer())
  }
  const tus = async () => {
    const authorization = `Bearer ${await env.server.uploadToken(node.id)}`
    const headers = { authorization, 'tus-resumable': '1.0.0' }
    return {
      create: async (length: number) => {
        const answer = await fetch(`${node.url}/tus`, {
          method: 'POST',
          headers: { ...headers, 'upload-length': `${length}` },
        })
        return new URL(answer.headers.get('location') ?? '', node.url).href
      },
      offset: async (url: string) =>
        Number((await fetch(url, { method: 'HEAD', headers })).headers.get('upload-offset')),
      patch: async (url: string, offset: number, bytes: Uint8Array) =>
        fetch(url, {
          method: 'PATCH',
          headers: { ...headers, 'upload-offset': `${offset}`, 'content-type': 'application/offset+octet-stream' },
          body: Uint8Array.from(bytes),
        }),
    }
  }

  it('refuses uploads, serves its contents, and continues when space is free, without lost or partial data', async () => {
    const before = await randomFile(2_000_000)
    expect(await upload(env, node, before.bytes)).toMatchObject({ status: 200 })
    const paused = await randomFile(9_000_000)
    const { create, offset, patch } = await tus()
    const url = await create(paused.bytes.length)
    expect((await patch(url, 0, paused.bytes.subarray(0, 3_000_000))).status).toBe(204)

    await fill()
    expect((await patch(url, 3_000_000, paused.bytes.subarray(3_000_000))).status).toBe(503)
    expect(await upload(env, node, randomBytes(1000))).toMatchObject({ status: 503, code: -1, err: 10008 })
    const told = env.server.of('served').length
    for (let turn = 0; turn < 3; turn += 1) expect((await get(node, before.cid)).equals(before.bytes)).toBe(true)
    const heartbeats = env.server.of('heartbeat').length
    await env.server.until(() => env.server.of('heartbeat').length > heartbeats + 1)
    // It can be restarted, too.
    await node.stop()
    node = await env.start({ data })
    expect((await get(node, before.cid)).equals(before.bytes)).toBe(true)

    await rm(ballast)
    const moved = new URL(new URL(url).pathname, node.url).href
    const at = await offset(moved)
    expect(at).toBeGreaterThanOrEqual(3_000_000)
    const last = await patch(moved, at, paused.bytes.subarray(at))
    expect([last.status, await last.json()]).toMatchObject([200, { cid: paused.cid }])
    expect((await get(node, paused.cid)).equals(paused.bytes)).toBe(true)
    // Bytes sent while the disk was full are recorded once there is space.
    await env.server.until(() => {
      const sent = env.server.of('served').slice(told)
      const transfers = sent.flatMap((report) => report.transfers as { cid: string; bytes: number }[])
      return transfers.some(({ cid, bytes }) => cid === before.cid && bytes >= before.bytes.length)
    })
    const after = await randomFile(1_000_000)
    expect(await upload(env, node, after.bytes)).toMatchObject({ status: 200, cid: after.cid })
  })
})
