import { PERMISSIONS } from '@tidenet/contract/route'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import type { CommandError } from './command-error.ts'
import { en } from './locales/en.ts'
import { zh } from './locales/zh.ts'
import { wantsJson } from './output.ts'
import { createProgram, isUsageError, usageFailure } from './program.ts'
import { isChinese } from './texts.ts'

async function wrong(...argv: string[]): Promise<CommandError | undefined> {
  const program = createProgram()
  for (const command of [program, ...program.commands]) command.configureOutput({ writeErr() {}, writeOut() {} })
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (isUsageError(error)) return usageFailure(error, argv, program)
    throw error
  }
  throw new Error('nothing was wrong')
}

describe('a wrong command line', () => {
  it.each([
    [['nope'], 'tidenet --help'],
    [['ls', '--nope'], 'tidenet ls --help'],
    [['ls', 'a', 'b'], 'tidenet ls --help'],
    [['rm'], 'tidenet rm --help'],
    [['key', 'create'], 'tidenet key create --help'],
    [['login', '--key'], 'tidenet login --help'],
    [['node', 'start', '--place'], 'tidenet node start --help'],
  ])('%j says where to look', async (argv, help) => {
    const failed = await wrong(...argv)
    expect(failed?.exit).toBe('usage')
    expect(failed?.message).toContain(help)
  })

  it('that is misspelled gets a suggestion', async () => {
    expect((await wrong('sttus'))?.message).toContain('status')
    expect((await wrong('ls', '--lon'))?.message).toContain('--long')
  })

  it('says that options of a command in a program come after --', async () => {
    expect((await wrong('exec', 'space', 'machine', 'ls', '-l'))?.message).toContain('-- ls -l')
    expect((await wrong('logs', 'space', '-l'))?.message).not.toContain(' -- ')
  })

  it('is none if help is requested', async () => {
    expect(await wrong('--help')).toBeUndefined()
    expect(await wrong('ls', '--help')).toBeUndefined()
    expect(await wrong('--version')).toBeUndefined()
  })
})

describe('the help', () => {
  it('of every command is in the texts alone, without words of the parser', () => {
    const pages: string[] = []
    const read = (command: Command): void => {
      pages.push(command.helpInformation())
      command.commands.forEach(read)
    }
    read(createProgram())
    expect(pages.length).toBeGreaterThan(40)
    expect(pages.filter((page) => page.includes('(default: "'))).toEqual([])
  })
})

describe('the answer', () => {
  it.each([
    [['ls', '--json'], true],
    [['--json', 'ls'], true],
    [['rm', '--', '--json'], false],
    [[], false],
  ])('of %j is JSON: %s', (argv, json) => expect(wantsJson(argv)).toBe(json))

  it.each([
    [{ LANG: 'zh_CN.UTF-8' }, true],
    [{ LANG: 'en_GB.UTF-8' }, false],
    [{ LC_ALL: 'zh_CN', LANG: 'en_GB' }, true],
    [{ TIDENET_LANG: 'en', LANG: 'zh_CN' }, false],
    [{ TIDENET_LANG: 'zh' }, true],
    [{}, false],
  ])('with %j is Chinese: %s', (env, chinese) => expect(isChinese(env)).toBe(chinese))

  it('names the same variables and commands in both languages', () => {
    expect(zh.help.variables.map(([name]) => name)).toEqual(en.help.variables.map(([name]) => name))
    const commands = (text: unknown) => JSON.stringify(text).match(/tidenet (login|mkdir|ls)/g)
    expect(commands(zh)).toEqual(commands(en))
  })
})

describe('the help of API keys', () => {
  const helpOf = (name: string) =>
    createProgram()
      .commands.find((command) => command.name() === 'key')
      ?.commands.find((command) => command.name() === name)
      ?.helpInformation()

  it.each(['create', 'change'])('of %s names every permission', (name) => {
    for (const permission of PERMISSIONS) expect(helpOf(name)).toContain(permission)
  })

  it('says that a change keeps permissions that are not given', () => {
    expect(helpOf('create')).toContain('default: all')
    expect(helpOf('change')).not.toContain('default: all')
  })
})
