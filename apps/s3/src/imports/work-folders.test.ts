import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { makeWorkFolder, removeLeftFolders } from './work-folders.ts'

it('deletes what killed processes of this machine left, and nothing else', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'left-'))
  try {
    const { pid: dead } = spawnSync(process.execPath, ['-e', ''])
    const of = async (pid: number) => {
      const made = await makeWorkFolder(parent)
      const name = basename(made).replace(`-${process.pid}-`, `-${pid}-`)
      await rename(made, join(parent, name))
      return name
    }
    await of(dead)
    await of(process.pid)
    const running = await of(process.ppid)
    const others = [`tidenet-import-another-machine-${dead}-x`, 'tidenet-import', 'unrelated']
    for (const name of others) await mkdir(join(parent, name))
    await removeLeftFolders(parent)
    expect((await readdir(parent)).sort()).toEqual([running, ...others].sort())
  } finally {
    await rm(parent, { recursive: true })
  }
})
