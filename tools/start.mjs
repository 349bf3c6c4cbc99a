// npm start: builds what is out of date, then runs the network (packages/testnet/src/stack.ts).
import { buildWeb, compile, ensureInstalled, fail, requireNode } from './build.mjs'
import { packDownloads } from './pack-downloads.mjs'
import { usage } from './usage.mjs'

usage('npm start: builds what is out of date and runs a complete network in one folder. Settings: README.md.')

try {
  requireNode()
  ensureInstalled()
  compile()
  buildWeb()
  await packDownloads()
} catch (error) {
  fail(error)
}
await import('../packages/testnet/dist/main.js')
