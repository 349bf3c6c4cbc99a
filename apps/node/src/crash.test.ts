import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { StartError } from '@tidenet/daemon'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StorageNode } from './app.ts'
import { folderOf, leafOf } from './contents/content-record.ts'
import { createTestEnv, randomFile, type TestEnv, upload } from './test-env.fixture.ts'

let env: TestEnv
beforeEach(async () => {
  env = await createTestEnv()
})
afterEach(() => env.stop())

const MAIN = join(import.meta.dirname, '..', 'dist', 'main.js')
const incoming = (data: string) => readdir(join(data, 'incoming'))

/** A node in its own process, to be killed. */
async function startProcess(data: string) {
  const child = fork(MAIN, {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      TIDENET_ENV: 'test',
      TIDENET_SERVER: env.server.url,
      TIDENET_NODE_DATA: data,
      TIDENET_NODE_KIND: 'candidate',
      TIDENET_NODE_AREA: 'Asia-China-Guangdong-Shenzhen',
      TIDENET_NODE_CAPACITY: '1GiB',
    },
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const ready = await new Promise<{ url: string; port: number; id: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string; port: number; id: string }))
    child.once('exit', (code) => reject(new Error(`the node exited with ${code}`)))
  })
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return { ...ready, end }
}

/** Starts an upload with a known size and never finishes it. */
function beginUpload(node: Pick<StorageNode, 'url'>, token: string, path: string, headers: object, first: Uint8Array) {
  const sending = request(node.url + path, {
    method: path === '/uploadv2' ? 'POST' : 'PATCH',
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  sending.on('error', () => {})
  sending.write(first)
  return sending
}

const dataSize = async (data: string) => {
  const [name] = await incoming(data)
  return name === undefined
    ? 0
    : stat(join(data, 'incoming', name, 'data')).then(
        (file) => file.size,
        () => 0,
      )
}

/** Bytes in the journal of bytes sent. */
const servedSize = async (data: string) => {
  const folder = join(data, 'served')
  const files = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))))
  return files.reduce((sum, file) => sum + file.size, 0)
}

describe('a node that is killed', () => {
  it('has what it acknowledged, and nothing incomplete', async () => {
    const data = await env.folder()
    const node = await startProcess(data)
    const { bytes, cid } = await randomFile(2_000_000)
    await upload(env, node as unknown as StorageNode, bytes)
    const token = await env.server.uploadToken(node.id)
    const head = Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n')
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    beginUpload(node, token, '/uploadv2', type, Buffer.concat([head, randomBytes(5_000_000)]))
    await expect.poll(() => dataSize(data)).toBeGreaterThan(1_000_000)
    expect(await node.end('SIGKILL')).toBeNull()

    expect((await incoming(data)).length).toBe(1)
    const again = await startProcess(data)
    expect(again.id).toBe(node.id)
    expect(await incoming(data)).toEqual([])
    const download = await env.server.downloadToken(again.id, cid)
    const answer = await fetch(`${again.url}/ipfs/${cid}?token=${download}`)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    expect(await again.end('SIGTERM')).toBe(0)
  })

  it('has what it acknowledged if the power failed before its disk wrote the files', async () => {
    const data = await env.folder()
    const node = await startProcess(data)
    env.server.away = true
    // Large ones have a folder of their own, which is synced before; their receipts and used tokens are in the log, too.
    const sizes = [...Array.from({ length: 20 }, () => 5000), 600_000, 2_000_000]
    const files = await Promise.all(sizes.map((size) => randomFile(size)))
    const answers = await Promise.all(files.map(({ bytes }) => upload(env, node as unknown as StorageNode, bytes)))
    expect(answers.map(({ status }) => status)).toEqual(files.map(() => 200))
    await node.end('SIGKILL')

    // What was not synced is empty or absent then.
    await rm(join(data, 'outbox'), { recursive: true, force: true })
    await truncate(join(data, 'uploads.jsonl'), 0)
    for (const [index, { cid }] of files.slice(0, 20).entries()) {
      const leaf = join(data, leafOf({ cid, size: 5000 }))
      if (index % 2 === 0) await rm(leaf)
      else await truncate(leaf, 0)
    }
    env.server.away = false
    const again = await startProcess(data)
    for (const { bytes, cid } of files) {
      const download = await env.server.downloadToken(again.id, cid)
      const answer = await fetch(`${again.url}/ipfs/${cid}?token=${download}`)
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    }
    const receipts = () => env.server.of('receipts').flatMap(({ receipts }) => receipts as string[])
    await env.server.until(() => new Set(receipts()).size === files.length)
    expect(await again.end('SIGTERM')).toBe(0)
  })

  it('resumes an upload where its disk has it', async () => {
    const data = await env.folder()
    const node = await startProcess(data)
    const { bytes, cid } = await randomFile(6_000_000)
    const token = await env.server.uploadToken(node.id)
    const tus = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
    const created = await fetch(`${node.url}/tus`, { method: 'POST', headers: { ...tus, 'upload-length': '6000000' } })
    const path = created.headers.get('location') ?? ''
    const chunk = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' }
    beginUpload(node, token, path, { ...chunk, 'upload-offset': '0' }, bytes.subarray(0, 5_000_000))
    await expect.poll(() => dataSize(data)).toBeGreaterThan(1_000_000)
    await node.end('SIGKILL')

    const again = await startProcess(data)
    const at = Number((await fetch(again.url + path, { method: 'HEAD', headers: tus })).headers.get('upload-offset'))
    expect(at).toBeGreaterThan(1_000_000)
    const last = await fetch(again.url + path, {
      method: 'PATCH',
      headers: { ...tus, ...chunk, 'upload-offset': String(at) },
      body: Uint8Array.from(bytes.subarray(at)),
    })
    expect(await last.json()).toMatchObject({ code: 0, cid })
    await again.end('SIGKILL')
  })

  it('reports what it has sent later, once', async () => {
    const data = await env.folder()
    const node = await startProcess(data)
    const { bytes, cid } = await randomFile(1_000_000)
    await upload(env, node as unknown as StorageNode, bytes)
    const token = await env.server.downloadToken(node.id, cid, { tid: 'killed' })
    env.server.away = true
    await (await fetch(`${node.url}/ipfs/${cid}?token=${token}`)).arrayBuffer()
    // The file is there before its first line is.
    await expect.poll(() => servedSize(data)).toBeGreaterThan(0)
    await node.end('SIGKILL')
    env.server.away = false

    const again = await startProcess(data)
    const sent = () =>
      env.server
        .of('served')
        .flatMap(({ transfers }) => transfers as { trace_id: string; bytes: number }[])
        .filter((transfer) => transfer.trace_id === 'killed')
    await env.server.until(() => sent().length > 0)
    expect(await again.end('SIGTERM')).toBe(0)
    expect(sent().map((transfer) => transfer.bytes)).toEqual([1_000_000])
  })
})

describe('two nodes', () => {
  it('do not work in one folder', async () => {
    const data = await env.folder()
    const first = await env.start({ data })
    await expect(env.start({ data })).rejects.toBeInstanceOf(StartError)
    await first.stop()
    await env.start({ data })
  })
})

describe('a node with an existing folder', () => {
  it('drops invalid contents and keeps valid ones', async () => {
    const data = await env.folder()
    const node = await env.start({ data })
    const large = await randomFile(300_000)
    const small = await randomFile(1000)
    const cut = await randomFile(2000)
    for (const { bytes } of [large, small, cut]) await upload(env, node, bytes)
    await node.stop()
    const copy = await env.folder()
    await cp(data, copy, { recursive: true })
    await cp(join(copy, folderOf(large.cid), 'data'), join(copy, 'contents', 'zz', 'broken', 'data'))
    const leaf = { cid: cut.cid, size: 2000 }
    await truncate(join(copy, leafOf(leaf)), 1999)
    const again = await env.start({ data: copy })
    const status = async (cid: string) => {
      const token = await env.server.downloadToken(again.id, cid)
      return (await fetch(`${again.url}/ipfs/${cid}?token=${token}`)).status
    }
    expect(await status(large.cid)).toBe(200)
    expect(await status(small.cid)).toBe(200)
    expect(await status(cut.cid)).toBe(404)
    expect(await readdir(join(copy, 'contents', 'zz'))).toEqual([])
    expect(existsSync(join(copy, leafOf(leaf)))).toBe(false)
  })

  it('serves and removes small files that an earlier release stored in folders', async () => {
    const data = await env.folder()
    const { bytes, cid } = await randomFile(1000)
    const folder = join(data, folderOf(cid))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'data'), bytes)
    const record = { cid, kind: 'file', size: 1000, blocks: 1, stored: 0, disk: 1000 }
    await writeFile(join(folder, 'meta.json'), JSON.stringify(record))
    const node = await env.start({ data })
    const get = async () => {
      const token = await env.server.downloadToken(node.id, cid)
      return fetch(`${node.url}/ipfs/${cid}?token=${token}`)
    }
    expect(Buffer.from(await (await get()).arrayBuffer()).equals(bytes)).toBe(true)
    // The same bytes once more change nothing.
    expect((await upload(env, node, bytes)).status).toBe(200)
    expect(existsSync(join(data, leafOf({ cid, size: 1000 })))).toBe(false)
    expect((await get()).status).toBe(200)
  })
})
