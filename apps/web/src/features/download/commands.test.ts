import { expect, test } from 'vitest'
import { nodeCommands } from './commands.ts'

test('every command of a node names its owner when there is one, and none otherwise', () => {
  for (const command of Object.values(nodeCommands('https://portal.example', 'node.tgz', 'own_abc')))
    expect(command).toContain('--owner own_abc')
  for (const command of Object.values(nodeCommands('https://portal.example', 'node.tgz')))
    expect(command).not.toContain('--owner')
})
