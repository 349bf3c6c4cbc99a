import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tarHeader, tarPadding } from '@tidenet/content/tar-header'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cidOf, unpack } from './local-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-files-'))
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

describe('a file of this machine', () => {
  it('has the CID that its hash makes', async () => {
    const path = join(folder, 'hello')
    writeFileSync(path, 'hello world')
    expect(await cidOf(path)).toBe('bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e')
  })
})

describe('a tar', () => {
  it('becomes the folder, without its own name', async () => {
    const to = join(folder, 'out')
    const archive = tar(['top/'], ['top/a.txt', 'one'], ['top/夏/'], ['top/夏/b.txt', 'two'], ['top/deep/c/d.txt', ''])
    expect(await unpack(archive, to)).toEqual({ files: 3 })
    expect(readFileSync(join(to, 'a.txt'), 'utf8')).toBe('one')
    expect(readFileSync(join(to, '夏/b.txt'), 'utf8')).toBe('two')
    expect(readFileSync(join(to, 'deep/c/d.txt'), 'utf8')).toBe('')
  })

  it('that is cut off leaves nothing behind', async () => {
    async function* broken() {
      yield tarHeader({ name: 'top/a.txt', kind: 'file', size: 5000 })
      yield new Uint8Array(1000)
    }
    await expect(unpack(broken(), join(folder, 'out'))).rejects.toThrow()
    expect(readdirSync(folder)).toEqual([])
  })

  it.each(['top/../../evil', 'top/..', 'top//evil', '/top/../../../tmp/evil', 'top/a/../../../evil'])(
    'never writes outside of its folder: %s',
    async (name) => {
      await expect(unpack(tar([name, 'evil']), join(folder, 'in/out'))).rejects.toMatchObject({ code: 'bad-path' })
      expect(existsSync(join(folder, 'evil'))).toBe(false)
      expect(existsSync(join(folder, 'in/evil'))).toBe(false)
    },
  )
})
