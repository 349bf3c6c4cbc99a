import { fromBase64, toHex } from '@cosmjs/encoding'
import { ChainRefusal, ChainUnreachable } from './chain-port.ts'

/** An answer that says no, in the words of the node. */
export class RpcFailure extends Error {}

export interface Rpc {
  /** @param onSilence told of each address that was asked and did not answer */
  call<T>(method: string, params: object, onSilence?: () => void): Promise<T>
  /** A query of the chain's application. Throws a `ChainRefusal` for what it refuses. */
  abci(path: string, request: Uint8Array): Promise<Uint8Array>
}

interface RpcOptions {
  urls: readonly string[]
  chainId: string
  timeout: number
  fetch: typeof fetch
}

/** CometBFT's RPC of one chain; another address is tried when one does not answer. */
export function createRpc({ urls, chainId, timeout, fetch: send }: RpcOptions): Rpc {
  // Whether this address was found to be of the right chain.
  const trusted = new Set<string>()

  async function ask<T>(url: string, method: string, params: object): Promise<T> {
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

  async function trust(url: string): Promise<void> {
    if (trusted.has(url)) return
    const { node_info, sync_info } = await ask<{
      node_info: { network: string }
      sync_info: { catching_up: boolean }
    }>(url, 'status', {})
    if (node_info.network !== chainId)
      throw new ChainUnreachable(`the chain there is ${node_info.network}, not ${chainId}`)
    if (sync_info.catching_up) throw new ChainUnreachable('the node is still catching up')
    trusted.add(url)
  }

  async function call<T>(method: string, params: object, onSilence = () => {}): Promise<T> {
    let last: unknown = new ChainUnreachable('no address of a chain is set')
    for (const url of urls) {
      let asked = false
      try {
        await trust(url)
        asked = true
        return await ask<T>(url, method, params)
      } catch (error) {
        if (!(error instanceof ChainUnreachable)) throw error
        if (asked) onSilence()
        // Whoever comes back may be another chain.
        trusted.delete(url)
        last = error
      }
    }
    throw last
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
