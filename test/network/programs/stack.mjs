import { fileURLToPath } from 'node:url'
import { runStack } from '@tidenet/testnet/stack'

const fixture = (name) => fileURLToPath(new URL(name, import.meta.url))

/** What `npm start` runs, with the stub programs. */
runStack(process.env, { server: fixture('./server.mjs'), node: fixture('./node.mjs') })
