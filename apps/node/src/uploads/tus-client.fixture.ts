import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { StorageNode } from '../app.ts'
import type { TestEnv } from '../test-env.fixture.ts'

export const CHUNK = 'application/offset+octet-stream'

/** For tests: a client of one upload, controlled step by step. */
export async function tusClient(
  env: TestEnv,
  options: { node?: StorageNode; token?: string; claims?: object; data?: string } = {},
) {
  const data = options.data ?? (await env.folder())
  let node = options.node ?? (await env.start({ data }))
  const token = options.token ?? (await env.server.uploadToken(node.id, { sub: 'u1', ...options.claims }))
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: Uint8Array) =>
    fetch(path.startsWith('http') ? path : node.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', ...headers },
      ...(body && { body: Uint8Array.from(body) }),
    })
  const patch = (path: string, offset: number, body: Uint8Array, headers: Record<string, string> = {}) =>
    send('PATCH', path, { 'content-type': CHUNK, 'upload-offset': String(offset), ...headers }, body)
  const offset = async (path: string) => Number((await send('HEAD', path)).headers.get('upload-offset'))
  return {
    get node() {
      return node
    },
    token,
    send,
    leftovers: () => readdir(join(data, 'incoming')),
    create: async (length: number, headers: Record<string, string> = {}, body?: Uint8Array) => {
      const answer = await send('POST', '/tus', { 'upload-length': String(length), ...headers }, body)
      return { answer, status: answer.status, path: answer.headers.get('location') ?? '' }
    },
    patch,
    offset,
    /** Resumes as clients do: queries the offset, sends the rest, repeats if the offset changed. */
    resume: async (path: string, bytes: Uint8Array) => {
      for (;;) {
        const at = await offset(path)
        const answer = await patch(path, at, bytes.subarray(at))
        if (answer.status !== 409) return answer
      }
    },
    restart: async () => {
      await node.stop()
      node = await env.start({ data })
    },
  }
}
