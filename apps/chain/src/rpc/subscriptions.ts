import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Chain, ChainBlock } from '../chain.ts'
import { type Condition, holds, parseQuery } from '../query.ts'
import { type IndexedTransaction, isMet } from '../transaction-index.ts'
import { answer, failure, type RpcRequest, success } from './json-rpc.ts'
import { RpcError } from './parameters.ts'
import { toWireBlock, toWireHeader, toWireResult, toWireTransaction } from './wire.ts'

/** Most subscriptions per connection. */
const SUBSCRIPTIONS = 10

interface Subscription {
  id: unknown
  conditions: Condition[]
}

/** Serves JSON-RPC and subscriptions at `/websocket`. */
export function serveWebsocket(app: FastifyInstance, chain: Chain, maxPayload: number): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload })
  app.server.on('upgrade', (request, socket, head) => {
    if (!/^(\/chain\/rpc)?\/websocket$/.test(request.url ?? '')) return socket.destroy()
    sockets.handleUpgrade(request, socket, head, (opened) => follow(chain, opened))
  })
  return sockets
}

function follow(chain: Chain, socket: WebSocket): void {
  const subscriptions = new Map<string, Subscription>()
  const send = (message: unknown) => socket.send(JSON.stringify(message))
  const stop = chain.listen((block, transactions) => {
    if (subscriptions.size === 0) return
    const happened = [...blockEvents(chain, block, transactions), ...transactions.map(transactionEvent)]
    for (const [query, { id, conditions }] of subscriptions)
      for (const { type, value, events, isWanted } of happened)
        if (conditions.every(isWanted))
          send(success(id, { query, data: { type: `tendermint/event/${type}`, value }, events }))
  })
  socket.on('close', stop)
  socket.on('error', () => socket.terminate())
  socket.on('message', async (data) => {
    let request: RpcRequest
    try {
      request = JSON.parse(String(data)) as RpcRequest
    } catch {
      return send(failure(null, new RpcError(-32602, 'the message is not JSON')))
    }
    const query = String((request.params as { query?: unknown } | undefined)?.query ?? '')
    try {
      if (request.method === 'subscribe') subscribe(subscriptions, query, request.id)
      else if (request.method === 'unsubscribe') subscriptions.delete(query)
      else if (request.method === 'unsubscribe_all') subscriptions.clear()
      else return send(await answer(chain, request))
    } catch (error) {
      return send(failure(request.id, new RpcError(-32603, (error as Error).message)))
    }
    return send(success(request.id, {}))
  })
}

function subscribe(subscriptions: Map<string, Subscription>, query: string, id: unknown): void {
  const conditions = parseQuery(query)
  if (subscriptions.size >= SUBSCRIPTIONS && !subscriptions.has(query))
    throw new Error(`max_subscriptions_per_client ${SUBSCRIPTIONS} reached`)
  subscriptions.set(query, { id, conditions })
}

interface ChainHappening {
  type: string
  value: unknown
  /** Values by `type.key`. */
  events: Record<string, string[]>
  isWanted: (condition: Condition) => boolean
}

function blockEvents(chain: Chain, block: ChainBlock, transactions: IndexedTransaction[]): ChainHappening[] {
  const { block_id, block: whole } = toWireBlock(chain, block)
  const result_finalize_block = {
    events: [],
    tx_results: transactions.map(({ result }) => toWireResult(result)),
    validator_updates: null,
    consensus_param_updates: null,
    app_hash: chain.appHash(),
  }
  const height = String(block.height)
  const values: Record<string, unknown> = {
    NewBlock: { block: whole, block_id, result_finalize_block },
    NewBlockHeader: { header: toWireHeader(chain, block) },
    NewBlockEvents: { height, events: [], num_txs: String(block.txs.length) },
  }
  return Object.entries(values).map(([type, value]) => ({
    type,
    value,
    events: { 'tm.event': [type], ...(type === 'NewBlockEvents' && { 'block.height': [height] }) },
    isWanted: (condition) =>
      condition.key === 'tm.event'
        ? holds(condition, type)
        : type === 'NewBlockEvents' && condition.key === 'block.height' && holds(condition, height),
  }))
}

function transactionEvent(tx: IndexedTransaction): ChainHappening {
  const { height, index, tx: bytes, tx_result } = toWireTransaction(tx)
  const events: Record<string, string[]> = { 'tm.event': ['Tx'], 'tx.hash': [tx.hash], 'tx.height': [height] }
  for (const { type, attributes } of tx.result.events)
    for (const { key, value } of attributes) {
      const name = `${type}.${key}`
      events[name] = [...(events[name] ?? []), value]
    }
  return {
    type: 'Tx',
    value: { TxResult: { height, index, tx: bytes, result: tx_result } },
    events,
    isWanted: (condition) => isMet(condition, tx),
  }
}
