import type { Command } from 'commander'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(texts.commands.mcp)
    .requiredOption('--root <folder>', texts.options.mcpRoot)
    .action(async ({ root }: { root: string }) => {
      const { serveAgents } = await import('../agents/serve.ts')
      await serveAgents(signedIn(), root)
    })
}
