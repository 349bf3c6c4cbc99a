import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { run } from './run.ts'

/** For tests: a machine outside of this one, at a public address, in a network namespace. Needs root. */
export interface Outside {
  address: string
  /** Everybody who connects to this port is sent `zeros` bytes. */
  zeros: number
  /** Answers how many bytes arrived. */
  sink: number
  close(): Promise<void>
}

const ZEROS_PORT = 8000
const SINK_PORT = 8001

const SERVER = (ports: readonly number[], zeros: number) => `
const { createServer } = require('node:net')
const waiting = []
const serve = (port, answer) => {
  const server = createServer({ allowHalfOpen: true }, (socket) => answer(socket.on('error', () => {})))
  waiting.push(new Promise((resolve) => server.listen({ host: '0.0.0.0', port, backlog: 4096 }, resolve)))
}
serve(${ZEROS_PORT}, (socket) => socket.end(Buffer.alloc(${zeros})))
serve(${SINK_PORT}, (socket) => {
  let bytes = 0
  socket.on('data', (chunk) => { bytes += chunk.length }).on('end', () => socket.end(String(bytes)))
})
for (const port of ${JSON.stringify(ports)})
  serve(port, (socket) => socket.resume().on('end', () => socket.end()).write('reached\\n'))
Promise.all(waiting).then(() => console.log('ready'))
`

/** @param ports that answer `reached` */
export async function outside(ports: readonly number[], zeros = 1): Promise<Outside> {
  // Not the prefix of our bridges.
  const space = `far${randomInt(1e6)}`
  // Of the addresses that are reserved for documentation, so that nothing else of this machine has them.
  const net = `198.51.100.${4 * randomInt(1, 60)}`
  const at = (host: number) => net.replace(/\d+$/, (last) => String(Number(last) + host))
  await run('ip', ['netns', 'add', space])
  let server: ChildProcess | undefined
  const close = async () => {
    server?.kill('SIGKILL')
    await run('ip', ['link', 'del', `${space}h`]).catch(() => {})
    await run('ip', ['netns', 'del', space])
  }
  try {
    await run('ip', ['link', 'add', `${space}h`, 'type', 'veth', 'peer', 'name', `${space}n`, 'netns', space])
    await run('ip', ['addr', 'add', `${at(1)}/30`, 'dev', `${space}h`])
    await run('ip', ['link', 'set', `${space}h`, 'up'])
    await run('ip', ['-n', space, 'addr', 'add', `${at(2)}/30`, 'dev', `${space}n`])
    await run('ip', ['-n', space, 'link', 'set', `${space}n`, 'up'])
    server = spawn('ip', ['netns', 'exec', space, process.execPath, '-e', SERVER(ports, zeros)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(server.stdout as NonNullable<ChildProcess['stdout']>, 'data')
  } catch (error) {
    await close()
    throw error
  }
  return { address: at(2), zeros: ZEROS_PORT, sink: SINK_PORT, close }
}
