import type { Command } from 'commander'
import { bytes } from '../amounts.ts'
import { printResult } from '../output.ts'
import { findWorkspace, listWorkspaces, openConsole } from '../programs/console.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'
import { table } from '../width.ts'

export function addProgramsCommand(program: Command): void {
  const t = texts.programs
  program
    .command('programs')
    .description(texts.commands.programs)
    .argument('[workspace]', t.workspaceArgument)
    .action(async (workspace: string | undefined) => {
      const all = await listWorkspaces(await openConsole(signedIn()))
      const list = workspace === undefined ? all : [findWorkspace(all, workspace)]
      const { headers: h } = t
      printResult({ list }, () =>
        list.length === 0
          ? t.noWorkspaces
          : table(
              [h.workspace, h.region, h.program, h.state, h.cpu, h.memory, h.disk, h.ports, h.folder],
              list.flatMap(({ id, cluster, state, workloads }) =>
                workloads.length === 0
                  ? [[id, t.regions[cluster], '-', t.workspaceStates[state], '', '', '', '', '']]
                  : workloads.map((one) => [
                      id,
                      t.regions[cluster],
                      one.name,
                      t.states[one.state],
                      String(one.cpu),
                      bytes(one.memory * 1024 ** 2),
                      bytes(one.storage * 1024 ** 3),
                      one.ports.map(({ port }) => port).join(' '),
                      one.folder ? `${one.folder.name} → ${one.folder.path}` : '',
                    ]),
              ),
            ),
      )
    })
}
