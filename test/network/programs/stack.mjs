import { fileURLToPath } from 'node:url'
import { runStack } from '@tidenet/testnet/stack'

const fixture = (name) => fileURLToPath(new URL(name, import.meta.url))

/** What `npm start` runs, over the stand-ins. */
runStack(process.env, { server: fixture('./server.mjs'), node: fixture('./node.mjs') })
