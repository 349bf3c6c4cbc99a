import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tarHeader, tarPadding } from '@tidenet/content/tar-header'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CommandError } from './command-error.ts'
import { makeFolderBelow, refuseLinkedFolder, unpack } from './unpack.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-unpack-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function* tar(...entries: [name: string, text?: string][]): AsyncGenerator<Uint8Array> {
  for (const [name, text] of entries) {
    const body = new TextEncoder().encode(text)
    yield tarHeader({ name, kind: text === undefined ? 'directory' : 'file', size: body.length })
    yield body
    yield tarPadding(body.length)
  }
  yield new Uint8Array(1024)
}

const everything = (): string[] => readdirSync(folder, { recursive: true }).map(String).sort()

describe('a tar', () => {
  it('is unpacked without its top-level name', async () => {
    const to = join(folder, 'out')
    const archive = tar(['top/'], ['top/a.txt', 'one'], ['top/夏/'], ['top/夏/b.txt', 'two'], ['top/deep/c/d.txt', ''])
    expect(await unpack(archive, to)).toEqual({ files: 3, bytes: 6 })
    expect(readFileSync(join(to, 'a.txt'), 'utf8')).toBe('one')
    expect(readFileSync(join(to, '夏/b.txt'), 'utf8')).toBe('two')
    expect(readFileSync(join(to, 'deep/c/d.txt'), 'utf8')).toBe('')
    expect(readdirSync(folder)).toEqual(['out'])
  })

  it('becomes a folder with a name as long as the disk allows', async () => {
    const to = join(folder, '夏'.repeat(85))
    for (const _ of ['made', 'there already'])
      expect(await unpack(tar(['top/a.txt', 'one']), to)).toEqual({ files: 1, bytes: 3 })
    expect(everything()).toEqual(['夏'.repeat(85), join('夏'.repeat(85), 'a.txt')])
  })

  it('may contain names as long as the disk allows, in any script', async () => {
    const names = ['夏'.repeat(85), `${'🌊'.repeat(63)}abc`, 'n'.repeat(255)]
    const archive = tar(...names.map((name): [string, string] => [`top/${name}/${name}`, 'one']))
    expect(await unpack(archive, join(folder, 'out'))).toEqual({ files: 3, bytes: 9 })
    for (const name of names) expect(readFileSync(join(folder, 'out', name, name), 'utf8')).toBe('one')
  })

  it('is merged into an existing folder and replaces files with the same names', async () => {
    const to = join(folder, 'out')
    mkdirSync(join(to, 'sub'), { recursive: true })
    writeFileSync(join(to, 'sub/a'), 'old')
    writeFileSync(join(to, 'mine'), 'mine')
    expect(await unpack(tar(['top/'], ['top/sub/'], ['top/sub/a', 'new'], ['top/more/b', 'b']), to)).toEqual({
      files: 2,
      bytes: 4,
    })
    expect(readFileSync(join(to, 'sub/a'), 'utf8')).toBe('new')
    expect(everything()).toEqual(['out', 'out/mine', 'out/more', 'out/more/b', 'out/sub', 'out/sub/a'])
  })

  it('that is truncated leaves no files, also in an existing folder', async () => {
    async function* broken() {
      yield tarHeader({ name: 'top/a.txt', kind: 'file', size: 5000 })
      yield new Uint8Array(1000)
    }
    await expect(unpack(broken(), join(folder, 'out'))).rejects.toThrow()
    expect(everything()).toEqual([])
    mkdirSync(join(folder, 'out'))
    writeFileSync(join(folder, 'out/a.txt'), 'mine')
    await expect(unpack(broken(), join(folder, 'out'))).rejects.toThrow()
    expect(everything()).toEqual(['out', 'out/a.txt'])
    expect(readFileSync(join(folder, 'out/a.txt'), 'utf8')).toBe('mine')
  })
})

describe('a tar is refused and leaves no files', () => {
  it.each([
    ['top/../../evil', 'top/..', 'top//evil', '/top/../../../tmp/evil', 'top/a/../../../evil'],
    ['top/..\\..\\evil.exe', 'top/\\\\server\\share', 'top/C:evil', 'top/C:\\evil', 'top/a:stream', 'top/a::$DATA'],
    ['top/CON', 'top/nul.txt', 'top/sub/COM1', 'top/aux/b', 'top/LPT9.tar.gz', 'top/CONOUT$'],
    ['top/a.', 'top/a ', 'top/sub./b', 'top/.. ', 'top/... '],
    ['top/a\nb', 'top/\u001b[2J', 'top/a\u007f', 'top/a\u0085'],
  ])('for names that are not plain names on every system: %s', async (...names) => {
    for (const name of names) {
      await expect(
        unpack(tar(['top/'], ['top/good', 'x'], [name, 'evil']), join(folder, 'in/out')),
      ).rejects.toBeInstanceOf(CommandError)
      if (existsSync(join(folder, 'in'))) expect(everything()).toEqual(['in'])
    }
  })

  it.each([`top/${'夏'.repeat(86)}`, `top/${'🌊'.repeat(64)}/a`, `top/${'n'.repeat(256)}/`])(
    'for a name that is too long for the disk: %s',
    async (name) => {
      const entry: [string, string?] = name.endsWith('/') ? [name] : [name, 'x']
      await expect(unpack(tar(['top/'], ['top/good', 'x'], entry), join(folder, 'out'))).rejects.toThrow(/255/)
      expect(everything()).toEqual([])
    },
  )

  it('for two names that the disk treats as one', async () => {
    const same: [string, string?][][] = [
      [
        ['top/a', '1'],
        ['top/a', '2'],
      ],
      [['top/a', '1'], ['top/a/']],
      [
        ['top/a', '1'],
        ['top/a/b', '2'],
      ],
    ]
    for (const entries of same) {
      await expect(unpack(tar(['top/'], ...entries), join(folder, 'out'))).rejects.toBeInstanceOf(Error)
      expect(everything()).toEqual([])
    }
  })

  it('if a link in the folder points outside', async () => {
    const [out, elsewhere] = [join(folder, 'out'), join(folder, 'elsewhere')]
    mkdirSync(out)
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(out, 'sub'))
    await expect(unpack(tar(['top/'], ['top/a', 'a'], ['top/sub/'], ['top/sub/b', 'b']), out)).rejects.toBeInstanceOf(
      CommandError,
    )
    expect(everything()).toEqual(['elsewhere', 'out', 'out/sub'])
    symlinkSync(elsewhere, join(folder, 'link'))
    await expect(unpack(tar(['top/'], ['top/a', 'a']), join(folder, 'link'))).rejects.toBeInstanceOf(CommandError)
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('if a folder is where a file is needed, or the reverse', async () => {
    mkdirSync(join(folder, 'out/a'), { recursive: true })
    writeFileSync(join(folder, 'out/b'), 'mine')
    for (const name of ['top/a', 'top/b/c'])
      await expect(unpack(tar(['top/'], ['top/0', ''], [name, 'x']), join(folder, 'out'))).rejects.toBeInstanceOf(
        CommandError,
      )
    expect(everything()).toEqual(['out', 'out/a', 'out/b'])
  })
})

describe('a link with the name of a file', () => {
  it('is replaced, and its target is not changed', async () => {
    writeFileSync(join(folder, 'mine'), 'mine')
    mkdirSync(join(folder, 'out'))
    symlinkSync(join(folder, 'mine'), join(folder, 'out/a'))
    await unpack(tar(['top/'], ['top/a', 'new']), join(folder, 'out'))
    expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('mine')
    expect(lstatSync(join(folder, 'out/a')).isSymbolicLink()).toBe(false)
  })
})

describe('the parent folders of a file', () => {
  it('are created below the requested folder, which may be a link', async () => {
    mkdirSync(join(folder, 'real'))
    symlinkSync(join(folder, 'real'), join(folder, 'link'))
    await makeFolderBelow(join(folder, 'link'), join(folder, 'link/a/b'))
    await makeFolderBelow(join(folder, 'link'), join(folder, 'link/a/b'))
    await makeFolderBelow(join(folder, 'link'), join(folder, 'link'))
    expect(readdirSync(join(folder, 'real/a'))).toEqual(['b'])
  })

  it('are not created where a link or a file is', async () => {
    mkdirSync(join(folder, 'elsewhere'))
    mkdirSync(join(folder, 'out'))
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'out/a'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'out/dangling'))
    writeFileSync(join(folder, 'out/file'), '')
    for (const name of ['a', 'a/b', 'dangling/b', 'file/b'])
      await expect(makeFolderBelow(join(folder, 'out'), join(folder, 'out', name))).rejects.toBeInstanceOf(CommandError)
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([])
    await expect(refuseLinkedFolder(join(folder, 'out/a'))).rejects.toBeInstanceOf(CommandError)
    await refuseLinkedFolder(join(folder, 'out/dangling'))
    await refuseLinkedFolder(join(folder, 'out'))
  })
})
