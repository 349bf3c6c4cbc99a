import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Api, createStorage, isSuccess, type Result } from '@tidenet/storage'
import type { Network } from '@tidenet/testnet'
import { signUp, until } from './wire-client.ts'

/** A server from which imports are fetched, which answers as a test says. */
export interface ImportSource {
  url: string
  /** Answers requests of a path, without its query. */
  at(path: string, answer: (response: ServerResponse, request: IncomingMessage) => void): string
  /** How often a path was requested. */
  asked(path: string): number
  close(): Promise<void>
}

export async function startSource(): Promise<ImportSource> {
  const answers = new Map<string, (response: ServerResponse, request: IncomingMessage) => void>()
  const asked = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] as string
    asked.set(path, (asked.get(path) ?? 0) + 1)
    const answer = answers.get(path)
    if (answer) answer(response, request)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    at(path, answer) {
      answers.set(path, answer)
      return url + path
    },
    asked: (path) => asked.get(path) ?? 0,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.data.err} ${result.msg}`)
  return result.data
}

/** A new account that imports. */
export async function importer(network: Network) {
  const { token } = await signUp(network.url)
  const storage = createStorage({ url: network.url, token, lang: 'en' })
  const { api } = storage
  const of = async (id: number) => {
    const { list } = data(await api.call('imports.list', { page_size: 100 }))
    const found = list.find((one) => one.id === id)
    if (!found) throw new Error(`no import ${id}`)
    return found
  }
  return {
    token,
    storage,
    api: api as Api,
    of,
    /** The import when it is in one of these states. */
    when: async (id: number, states: readonly string[]) => {
      await until(async () => states.includes((await of(id)).state), 60_000)
      return of(id)
    },
    ended: async (id: number) => {
      await until(async () => (await of(id)).ended !== null, 60_000)
      return of(id)
    },
    /** The files and folders in a folder, by name, with their CIDs. */
    items: async (parent = 0) => {
      const { list } = data(await api.call('folders.contents', { parent, page_size: 100 }))
      return new Map(
        list.map(({ AssetOverview, Group }) => [
          AssetOverview?.UserAssetDetail.AssetName ?? Group?.Name ?? '',
          AssetOverview?.AssetRecord.CID ?? '',
        ]),
      )
    },
    /** The bytes of a file of the account, or of one in a folder that is one item. */
    bytes: async (cid: string, path?: string) => {
      const { blob } = data(
        await storage.downloadAsset({ assetCid: cid, to: 'blob', ...(path !== undefined && { path }) }),
      )
      return Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))
    },
  }
}
