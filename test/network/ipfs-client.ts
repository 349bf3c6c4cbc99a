import { request } from 'node:http'
import { createStorage, isSuccess, type Result, type Storage } from '@tidenet/storage'
import type { Network } from '@tidenet/testnet'
import { signUp, until } from './wire-client.ts'

export function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg}`)
  return result.data
}

/** An account that publishes what it uploads. */
export async function publisher(network: Network) {
  const person = await signUp(network.url)
  const storage = createStorage({ url: network.url, token: person.token })
  const publish = async (cid: string): Promise<void> => {
    data(await storage.api.call('publications.create', { cid }))
    await until(async () => (await stateOf(storage, cid)) === 'ready', 30_000)
  }
  const upload = async (content: Uint8Array<ArrayBuffer> | { path: string; file: File }[], name: string) =>
    data(await storage.uploadAsset(content, { name })).cid
  return {
    person,
    storage,
    upload,
    publish,
    async published(content: Parameters<typeof upload>[0], name: string) {
      const cid = await upload(content, name)
      await publish(cid)
      return cid
    },
    unpublish: async (cid: string) => void data(await storage.api.call('publications.remove', { cid })),
  }
}

const stateOf = async (storage: Storage, cid: string) =>
  data(await storage.api.call('publications.list', { cid })).list[0]?.state

export interface Received {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** A request whose path is sent exactly as written. Fails if the answer ends early. */
export const ask = (
  url: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body?: string,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sent = request({ hostname, port, path, method, headers, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () =>
        answer.complete
          ? resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) })
          : reject(new Error('the answer ended early')),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
