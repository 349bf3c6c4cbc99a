import { fromBase64, toHex } from '@cosmjs/encoding'
import { ChainRefusal, ChainUnreachable } from './chain-port.ts'

/** An error response, with the node's message. */
export class RpcFailure extends Error {}

export interface Rpc {
  /** @param onSilence called for each URL that did not answer */
  call<T>(method: string, params: object, onSilence?: () => void): Promise<T>
  /** Queries the chain's application. Throws `ChainRefusal` if it refuses. */
  abci(path: string, request: Uint8Array): Promise<Uint8Array>
}

interface RpcOptions {
  urls: readonly string[]
  chainId: string
  timeout: number
  fetch: typeof fetch
}

/** CometBFT's RPC of one chain; if one URL does not answer, the next is tried. */
export function createRpc({ urls, chainId, timeout, fetch: send }: RpcOptions): Rpc {
  // Whether this URL was verified to be of the right chain.
  const verified = new Set<string>()

  async function request<T>(url: string, method: string, params: object): Promise<T> {
    let answer: Response
    try {
      answer = await send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(timeout),
      })
    } catch (error) {
      throw new ChainUnreachable(`${method}: ${(error as Error).message}`)
    }
    const body = (await answer.json().catch(() => undefined)) as
      | { result?: T; error?: { message: string; data?: string } }
      | undefined
    if (body?.error) throw new RpcFailure(`${body.error.data ?? body.error.message}`)
    if (!answer.ok || body?.result === undefined) throw new ChainUnreachable(`${method}: HTTP ${answer.status}`)
    return body.result
  }

  async function verifyChain(url: string): Promise<void> {
    if (verified.has(url)) return
    const { node_info, sync_info } = await request<{
      node_info: { network: string }
      sync_info: { catching_up: boolean }
    }>(url, 'status', {})
    if (node_info.network !== chainId)
      throw new ChainUnreachable(`the chain there is ${node_info.network}, not ${chainId}`)
    if (sync_info.catching_up) throw new ChainUnreachable('the node is still catching up')
    verified.add(url)
  }

  async function call<T>(method: string, params: object, onSilence = () => {}): Promise<T> {
    let last: unknown
    for (const url of urls) {
      let isVerified = false
      try {
        await verifyChain(url)
        isVerified = true
        return await request<T>(url, method, params)
      } catch (error) {
        if (!(error instanceof ChainUnreachable)) throw error
        if (isVerified) onSilence()
        // After an outage, the URL may belong to another chain.
        verified.delete(url)
        last = error
      }
    }
    throw last ?? new ChainUnreachable('no URL of a chain is configured')
  }

  async function abci(path: string, request: Uint8Array): Promise<Uint8Array> {
    const { response } = await call<{
      response: { code: number; codespace: string; log: string; value: string | null }
    }>('abci_query', { path, data: toHex(request), prove: false })
    if (response.code !== 0) throw new ChainRefusal(response.codespace, response.code, response.log)
    return fromBase64(response.value ?? '')
  }

  return { call, abci }
}
