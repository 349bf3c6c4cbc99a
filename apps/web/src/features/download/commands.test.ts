import { expect, test } from 'vitest'
import { nodeCommands, singleCommands } from './commands.ts'

test('node commands contain --owner only if there is an owner code', () => {
  for (const command of Object.values(nodeCommands('https://portal.example', 'node.tgz', 'own_abc')))
    expect(command).toContain('--owner own_abc')
  for (const command of Object.values(nodeCommands('https://portal.example', 'node.tgz')))
    expect(command).not.toContain('--owner')
  expect(singleCommands('https://portal.example', 'node', 'tidenet-node-linux-x64', 'own_abc')).toContain(
    '--owner own_abc',
  )
})
