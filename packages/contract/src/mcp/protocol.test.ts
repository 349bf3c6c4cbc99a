import { describe, expect, it } from 'vitest'
import { createMcpServer } from './protocol.ts'

const handle = createMcpServer({
  version: '1',
  instructions: '',
  call: () => Promise.reject(new Error('nothing is called')),
  tools: [],
  record: async () => {},
})
const ask = (message: unknown) => handle(message, { batches: true })

describe('a message of MCP', () => {
  it.each([
    ['a version that is no text', { method: 'initialize', params: { protocolVersion: { toString: 1, valueOf: 1 } } }],
    ['metadata that is none', { method: 'tools/list', params: { _meta: { toString: 1 } } }],
    ['an id without end', { method: 'ping', id: 1e308 }],
  ])('with %s has an answer', async (_, message) => {
    expect(await ask({ jsonrpc: '2.0', id: 1, ...message })).toMatchObject({ result: {} })
  })

  it.each(['constructor', '__proto__', 'toString', ''])('calls no tool by the name %j', async (name) => {
    expect(await ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } })).toMatchObject({
      error: { code: -32602 },
    })
  })

  it.each([null, 5, 'x', [[]], { jsonrpc: '2.0', id: {} }, { jsonrpc: '2.0', id: null, method: 'ping' }])(
    'is refused if it is none: %j',
    async (message) => {
      expect([await ask(message)].flat()).toMatchObject([{ id: null, error: { code: -32600 } }])
    },
  )
})
