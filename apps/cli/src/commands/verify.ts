import type { Command } from 'commander'
import type { VerifyOptions } from '../receipts.ts'
import { texts } from '../texts.ts'

export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description(texts.commands.verify)
    .argument('<files...>', texts.arguments.receipts)
    .option('--key <key>', texts.options.networkKey)
    .option('--operator <chain:address>', texts.options.anchorAddress)
    .option('--chain <url>', texts.options.chainUrl)
    .action(async (files: string[], options: VerifyOptions) => {
      // Takes as long to load as all other commands together.
      const { verifyFiles } = await import('../receipts.ts')
      await verifyFiles(files, options)
    })
}
