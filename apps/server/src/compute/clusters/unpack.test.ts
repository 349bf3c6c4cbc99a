import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { tarOf } from './tar.ts'
import { framed, UNPACK } from './unpack.ts'

it.each([0, 11, 127 * 1024, 1_000_003])(
  'unpacks an archive with a file of %i bytes and detects its end',
  async (size) => {
    const folder = mkdtempSync(join(tmpdir(), 'tidenet-unpack-'))
    try {
      const content = Buffer.alloc(size, 'tide\n')
      const archive = tarOf([{ kind: 'file', path: 'a', size, content }])
      // Data after the end, as on a connection that stays open.
      const input = Buffer.concat([await buffer(framed(archive)), Buffer.from('9\nnot of it')])
      const [shell = '', flag = '', script = ''] = UNPACK
      const { status } = spawnSync(shell, [flag, script.replace('-C /', `-C ${folder}`)], { input })
      expect(status).toBe(0)
      expect(readFileSync(join(folder, 'a')).equals(content)).toBe(true)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

it('refuses data that is not an archive', async () => {
  const input = await buffer(
    framed(
      (async function* () {
        yield Buffer.alloc(2000, 'x')
      })(),
    ),
  )
  const [shell = '', ...rest] = UNPACK
  expect(spawnSync(shell, rest, { input }).status).not.toBe(0)
})
