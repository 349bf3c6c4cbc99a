import { createClock } from '@tidenet/daemon'
import { runProgram } from '@tidenet/daemon/lifecycle'
import { createNode } from './app.ts'
import { readNodeConfig } from './config.ts'
import { faults } from './downloads/faults.ts'
import { type ParsedFlags, readFlags } from './flags.ts'
import { runLimits } from './limits/command.ts'
import { machineActions } from './service/actions.ts'
import { COMMANDS, runCommand } from './service/commands.ts'
import { readStartSettings } from './service/start-settings.ts'

const [first, ...rest] = process.argv.slice(2)
const command = COMMANDS.find((name) => name === first)
if (command) runCommand(command, rest, machineActions()).catch(fail)
else if (first === 'limits')
  runLimits(rest, process.env).then((lines) => process.stdout.write(`${lines.join('\n')}\n`), fail)
else {
  const flags = orFail(() => readFlags(process.argv.slice(2)))
  if ('print' in flags) process.stdout.write(`${flags.print}\n`)
  else run(flags)
}

function run(flags: Extract<ParsedFlags, { env: unknown }>): void {
  runProgram(async (life) => {
    const clock = createClock()
    life.onClock((offsetMs) => clock.move(offsetMs))
    const asked = { ...process.env, ...flags.env }
    // An installed node starts with its data folder alone.
    const { fault, ...config } = readNodeConfig({ ...readStartSettings(asked.TIDENET_NODE_DATA ?? ''), ...asked })
    const wrapOutgoing = fault && faults[fault]
    const node = await createNode({ ...config, clock, stopping: life.stopping, ...(wrapOutgoing && { wrapOutgoing }) })
    const { port } = new URL(node.url)
    return {
      ready: { url: node.url, port: Number(port), id: node.id },
      stop: () => node.stop(),
      onClock: (offsetMs) => clock.move(offsetMs),
    }
  })
}

function orFail<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): never {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
