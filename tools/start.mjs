// npm start: makes what is stale, then becomes the program that runs the network (packages/testnet/src/stack.ts).
import { buildWeb, compile, ensureInstalled, fail, requireNode } from './build.mjs'

try {
  requireNode()
  ensureInstalled()
  compile()
  buildWeb()
} catch (error) {
  fail(error)
}
await import('../packages/testnet/dist/main.js')
