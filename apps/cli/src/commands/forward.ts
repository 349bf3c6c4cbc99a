import type { Command } from 'commander'
import { interruptible } from '../interrupt.ts'
import { printMessage, printResult, reasonOf } from '../output.ts'
import { call } from '../portal.ts'
import { connectWith } from '../programs/connect.ts'
import { openConsole, programAt, requireRunning } from '../programs/console.ts'
import { listenFor, readPorts, requireAnswer } from '../programs/forward.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'

export function addForwardCommand(program: Command): void {
  const t = texts.programs
  program
    .command('forward')
    .description(texts.commands.forward)
    .argument('<workspace>', t.workspaceArgument)
    .argument('<program>', t.programArgument)
    .argument('<ports>', t.portsArgument)
    .action(async (workspace: string, name: string, ports: string) => {
      const { local, remote } = readPorts(ports)
      const storage = signedIn()
      const at = await programAt(storage, workspace, name)
      requireRunning(storage, at.space, at.program)
      let { console } = at
      const ticketOf = () => call(console, 'clusters.forward', { id: at.program.id, port: remote })
      const open = async () => {
        const { ticket } = await ticketOf().catch(async () => {
          // The console session ends after some hours.
          console = await openConsole(storage)
          return ticketOf()
        })
        return connectWith(storage.api.url, ticket)
      }
      const listening = await listenFor(local, open, (error) => printMessage(reasonOf(error)))
      await requireAnswer(open, { name: at.program.name, port: remote }).catch((error: unknown) => {
        listening.stop()
        throw error
      })
      const address = `127.0.0.1:${listening.port}`
      printResult({ address, program: at.program.name, port: remote }, () =>
        t.forwarding(address, at.program.name, remote),
      )
      await interruptible(listening.stop, () => listening.stopped)
    })
}
