import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '@tidenet/daemon'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openLocalCa } from './local-ca.ts'

const ZONE = 'nodes.example.net'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-ca-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('is the same one for all programs that start at the same time, and afterwards', async () => {
  const opened = await Promise.all(Array.from({ length: 8 }, () => openLocalCa(folder, ZONE)))
  const root = await readFile(join(folder, 'ca.pem'), 'utf8')
  expect([...opened, await openLocalCa(folder, ZONE)].map((ca) => ca.root)).toEqual(Array(9).fill(root))
  expect((await readdir(folder)).sort()).toEqual(['ca.key', 'ca.pem'])
})

it('is refused with a key of another one, and is not replaced', async () => {
  await openLocalCa(folder, ZONE)
  const key = await readFile(join(folder, 'ca.key'))
  await rm(join(folder, 'ca.key'))
  await rm(join(folder, 'ca.pem'))
  await openLocalCa(folder, ZONE)
  await writeFile(join(folder, 'ca.key'), key)
  await expect(openLocalCa(folder, ZONE)).rejects.toThrow(StartError)
  expect((await readFile(join(folder, 'ca.key'))).equals(key)).toBe(true)
})
