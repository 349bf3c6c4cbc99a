import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'
import { tarOf } from './tar.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidenet-tar-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = (path: string, content: string) => ({
  kind: 'file' as const,
  path,
  size: Buffer.byteLength(content),
  content: Buffer.from(content),
})

it('is readable by tar, with long and Chinese names', async () => {
  const long = `in/${'deep/'.repeat(40)}文件.txt`
  const archive = await buffer(
    tarOf([
      { kind: 'folder', path: 'in', mode: 0o700 },
      text('in/a.txt', 'one'),
      { kind: 'link', path: 'in/link', target: 'a.txt' },
      text(long, 'far away'),
    ]),
  )
  expect(spawnSync('tar', ['-x', '-C', folder], { input: archive }).status).toBe(0)
  expect(readFileSync(join(folder, 'in/link'), 'utf8')).toBe('one')
  expect(readFileSync(join(folder, long), 'utf8')).toBe('far away')
  expect(statSync(join(folder, 'in')).mode & 0o777).toBe(0o700)
})

it('fails if a file is shorter or longer than declared', async () => {
  for (const size of [2, 4])
    await expect(buffer(tarOf([{ kind: 'file', path: 'a', size, content: Buffer.from('abc') }]))).rejects.toThrow()
})
