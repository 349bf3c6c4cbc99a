import { createClock } from '@tidenet/daemon'
import { runProgram } from '@tidenet/daemon/lifecycle'
import { createNode } from './app.ts'
import { readNodeConfig } from './config.ts'
import { faults } from './downloads/faults.ts'
import { type ParsedFlags, readFlags } from './flags.ts'

const flags = readAsked()
if ('print' in flags) process.stdout.write(`${flags.print}\n`)
else
  runProgram(async (life) => {
    const clock = createClock()
    life.onClock((offsetMs) => clock.move(offsetMs))
    const { fault, ...config } = readNodeConfig({ ...process.env, ...flags.env })
    const wrapOutgoing = fault && faults[fault]
    const node = await createNode({ ...config, clock, stopping: life.stopping, ...(wrapOutgoing && { wrapOutgoing }) })
    const { port } = new URL(node.url)
    return {
      ready: { url: node.url, port: Number(port), id: node.id },
      stop: () => node.stop(),
      onClock: (offsetMs) => clock.move(offsetMs),
    }
  })

function readAsked(): ParsedFlags {
  try {
    return readFlags(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}
