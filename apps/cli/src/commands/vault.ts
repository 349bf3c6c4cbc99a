import type { Command } from 'commander'
import { moment } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { printResult } from '../output.ts'
import { dataOf } from '../portal.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'
import { table } from '../width.ts'

export function addVaultCommand(program: Command): void {
  program
    .command('vault')
    .description(texts.commands.vault)
    .action(async () => {
      const { vault, folders, files } = dataOf(await signedIn().vault.info())
      if (!vault) throw new CommandError(texts.noVault, 'notFound')
      const ways = vault.ways.map(({ id, kind, name, created_at }) => ({ id, kind, name, created_at }))
      const { headers: h } = texts
      printResult({ recipient: vault.recipient, ways, folders, files }, () =>
        [
          texts.vaultFor(vault.recipient, folders, files),
          table(
            [h.kind, h.name, h.date],
            ways.map(({ kind, name, created_at }) => [
              texts.vaultWays[kind],
              kind === 'kit' ? '' : name,
              moment(created_at),
            ]),
          ),
        ].join('\n'),
      )
    })
}
