import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { createClock } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderOf } from '../contents/content-record.ts'
import { createTestEnv, randomFile, type TestEnv } from '../test-env.fixture.ts'
import { makeFolder } from '../test-folder.fixture.ts'
import { CHUNK, tusClient } from './tus-client.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await createTestEnv()
})
afterAll(() => env.stop())

/** Sends the first part of a chunk and disconnects. */
function breakOff(url: string, token: string, offset: number, part: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const sending = request(url, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${token}`,
        'tus-resumable': '1.0.0',
        'content-type': CHUNK,
        'upload-offset': String(offset),
        'content-length': String(part.length + 1000),
      },
    })
    sending.on('error', () => {})
    sending.on('close', () => resolve())
    sending.write(part, () => sending.destroy())
  })
}

describe('an unfinished upload', () => {
  it('resumes after a client disconnected', async () => {
    const { node, create, resume, token } = await tusClient(env)
    const { bytes, cid } = await randomFile(3_000_000)
    const { path } = await create(bytes.length)
    await breakOff(node.url + path, token, 0, bytes.subarray(0, 2_000_000))
    const last = await resume(path, bytes)
    expect(await last.json()).toMatchObject({ code: 0, cid })
  })

  it('resumes after the node was restarted', async () => {
    const client = await tusClient(env)
    const { bytes, cid } = await randomFile(2_000_000)
    const { path } = await client.create(bytes.length)
    await client.patch(path, 0, bytes.subarray(0, 1_234_567))
    await client.restart()
    expect(await client.offset(path)).toBe(1_234_567)
    const last = await client.patch(path, 1_234_567, bytes.subarray(1_234_567))
    expect(await last.json()).toMatchObject({ code: 0, cid })
    await client.restart()
    const head = await client.send('HEAD', path)
    expect([head.status, head.headers.get('upload-cid')]).toEqual([200, cid])
  })

  it('lets a new request replace one that hangs', async () => {
    const { node, create, resume, token } = await tusClient(env)
    const { bytes, cid } = await randomFile(1_000_000)
    const { path } = await create(bytes.length)
    const hanging = request(node.url + path, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${token}`,
        'tus-resumable': '1.0.0',
        'content-type': CHUNK,
        'upload-offset': '0',
        'content-length': '1000000',
      },
    })
    hanging.on('error', () => {})
    await new Promise((resolve) => hanging.write(bytes.subarray(0, 100_000), resolve))
    expect(await (await resume(path, bytes)).json()).toMatchObject({ code: 0, cid })
    hanging.destroy()
  })

  it('discards the bytes of a rejected chunk on restart', async () => {
    const { create, patch, offset, restart } = await tusClient(env)
    const { bytes, cid } = await randomFile(600_000)
    const { path } = await create(bytes.length)
    const wrong = { 'upload-checksum': `sha256 ${createHash('sha256').update('other').digest('base64')}` }
    expect((await patch(path, 0, bytes.subarray(0, 300_000))).status).toBe(204)
    expect((await patch(path, 300_000, randomBytes(200_000), wrong)).status).toBe(460)
    await restart()
    expect(await offset(path)).toBe(300_000)
    expect(await (await patch(path, 300_000, bytes.subarray(300_000))).json()).toMatchObject({ code: 0, cid })
  })

  it('completes a folder that was fully received when the node was killed', async () => {
    const data = await env.folder()
    const folder = await makeFolder({ 'a.txt': Buffer.from('one') })
    const { create, patch, offset, restart, node } = await tusClient(env, {
      data,
      claims: { kind: 'car', cid: folder.cid },
    })
    const { archive } = folder
    const { path } = await create(archive.length)
    await patch(path, 0, archive.subarray(0, archive.length - 1))
    // Where the bytes are while the content is published.
    await node.stop()
    const [name = ''] = await readdir(join(data, 'incoming'))
    await rename(join(data, 'incoming', name, 'data'), join(data, 'incoming', name, 'archive.car'))
    await restart()
    expect(await offset(path)).toBe(archive.length - 1)
    const last = await patch(path, archive.length - 1, archive.subarray(-1))
    expect(await last.json()).toMatchObject({ code: 0, cid: folder.cid })
  })

  it('completes a file whose last bytes were not synced when the node was killed, once a power failure cannot take them', async () => {
    const data = await env.folder()
    const { bytes, cid } = await randomFile(600_000)
    const { create, patch, send, restart, node } = await tusClient(env, { data, claims: { cid } })
    const { path } = await create(bytes.length)
    expect((await patch(path, 0, bytes.subarray(0, 300_000))).status).toBe(204)
    await node.stop()
    const [name = ''] = await readdir(join(data, 'incoming'))
    await writeFile(join(data, 'incoming', name, 'data'), bytes.subarray(300_000), { flag: 'a' })
    const synced = await watchSyncs(data)
    try {
      await restart()
      expect((await send('HEAD', path)).headers.get('upload-offset')).toBe('600000')
      expect(await synced.sizeOf(join(data, folderOf(cid), 'data'))).toBe(600_000)
    } finally {
      synced.stop()
    }
  })

  it('starts over if the bytes of an upload are missing', async () => {
    const data = await env.folder()
    const { bytes, cid } = await randomFile(600_000)
    const { create, patch, send, node } = await tusClient(env, { data, claims: { cid } })
    const { path } = await create(bytes.length)
    expect((await patch(path, 0, bytes.subarray(0, 599_999))).status).toBe(204)
    await node.stop()
    const again = await tusClient(env, { data, claims: { cid } })
    const [name = ''] = await readdir(join(data, 'incoming'))
    await rm(join(data, 'incoming', name, 'data'))
    const sent = await patch(new URL(path, again.node.url).href, 599_999, bytes.subarray(599_999))
    expect(sent.status).toBe(404)
    expect((await send('HEAD', new URL(path, again.node.url).href)).status).toBe(404)
    expect(await again.leftovers()).toEqual([])
  })

  it('frees the space of a terminated upload', async () => {
    const { create, patch, send, leftovers, node } = await tusClient(env)
    const { path } = await create(5_000_000)
    await patch(path, 0, randomBytes(1000))
    expect((await send('DELETE', path)).status).toBe(204)
    expect((await send('HEAD', path)).status).toBe(404)
    expect((await patch(path, 1000, randomBytes(10))).status).toBe(404)
    expect(await leftovers()).toEqual([])
    expect(await (await fetch(`${node.url}/metrics`)).text()).toContain(`tidenet_node_free ${2 ** 33}`)
  })

  it('deletes an upload a day after its last byte', async () => {
    const clock = createClock()
    const node = await env.start({ clock })
    const token = await env.server.uploadToken(node.id, { exp: Math.floor(Date.now() / 1000) + 3 * 86_400 })
    const { create, patch, send } = await tusClient(env, { node, token })
    const { path } = await create(1000)
    expect((await patch(path, 0, randomBytes(5))).status).toBe(204)
    clock.move(20 * 3600_000)
    expect((await patch(path, 5, randomBytes(5))).status).toBe(204)
    clock.move(43 * 3600_000)
    expect((await send('HEAD', path)).status).toBe(200)
    clock.move(45 * 3600_000)
    expect((await send('HEAD', path)).status).toBe(404)
  })

  it('deletes an upload without any bytes after two minutes', async () => {
    const clock = createClock()
    const node = await env.start({ clock })
    const { create, send } = await tusClient(env, { node })
    const { path } = await create(1000)
    clock.move(115_000)
    expect((await send('HEAD', path)).status).toBe(200)
    clock.move(125_000)
    expect((await send('HEAD', path)).status).toBe(404)
  })

  it('reserves space for received bytes, not for announced ones', async () => {
    const data = await env.folder()
    const capacity = 2_000_000
    const node = await env.start({ data, capacity })
    const free = async (url: string) =>
      Number((await (await fetch(`${url}/metrics`)).text()).match(/^tidenet_node_free (\d+)/m)?.[1])
    const { create, patch, leftovers } = await tusClient(env, { node, data })
    const paused = await create(1_500_000)
    expect((await patch(paused.path, 0, randomBytes(300_000))).status).toBe(204)
    for (let i = 0; i < 20; i += 1) {
      const idle = await tusClient(env, { node })
      expect((await idle.create(1_600_000)).status).toBe(201)
    }
    expect(await free(node.url)).toBe(capacity - 300_000)
    const { bytes, cid } = await randomFile(1_600_000)
    const other = await tusClient(env, { node })
    expect(await (await other.create(bytes.length, { 'content-type': CHUNK }, bytes)).answer.json()).toMatchObject({
      cid,
    })
    expect((await leftovers()).length).toBe(21)
    await node.stop()
    const again = await env.start({ data, capacity })
    expect(await free(again.url)).toBeLessThan(capacity - 1_900_000)
  })
})

/** How much of each file a power failure would leave. */
async function watchSyncs(folder: string) {
  const sizes = new Map<number, number>()
  const handle = await open(folder)
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { sync, datasync } = prototype
  const watched = (work: () => Promise<void>) =>
    async function (this: FileHandle) {
      const { ino, size } = await this.stat()
      await work.call(this)
      sizes.set(ino, size)
    }
  Object.assign(prototype, { sync: watched(sync), datasync: watched(datasync) })
  return {
    sizeOf: async (path: string) => sizes.get((await stat(path)).ino) ?? 0,
    stop: () => Object.assign(prototype, { sync, datasync }),
  }
}
