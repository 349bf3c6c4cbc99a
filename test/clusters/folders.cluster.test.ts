import { randomBytes } from 'node:crypto'
import { createNetwork, type Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleEngine } from '../../apps/server/src/compute/clusters/engine/sample-engine.fixture.ts'
import { MB, until } from '../../apps/server/src/compute/clusters/sample-workloads.fixture.ts'
import { data, listed, owner, program, put, textOf } from './sample-folders.fixture.ts'

/** A folder of the storage in a program: a real engine, a real network of nodes, and the worker as a process of its own. */

const { driver, close } = sampleEngine()
const { state } = await driver.probe()
if (state !== 'ready') await close()

let network: Network
beforeAll(async () => {
  if (state === 'ready')
    network = await createNetwork({ nodes: 3, databaseUrl: process.env.TIDENET_TEST_DATABASE as string })
})
afterAll(async () => {
  await network?.stop()
  expect(state === 'ready' ? await close() : []).toEqual([])
})

describe.skipIf(state !== 'ready')('a folder in a program', () => {
  it('has its files before the program starts, and what the program changed becomes new versions', async () => {
    const one = await owner(network)
    const big = randomBytes(3 * MB)
    await put(one, 'in.txt', 'first')
    await put(one, 'big.bin', big)
    const inner = data(await one.storage.createFolder({ name: 'inner', parent: one.folder })).group.ID
    const before = await put(one, 'näme 名.txt', 'inner', inner)
    const { sh, filled, transfer, plans, ref, remove } = await program(driver, one)
    expect(filled).toMatchObject({ filled: true, problem: '', savedFiles: 0, skippedCount: 0 })
    expect(Object.keys(filled.base).sort()).toEqual(['big.bin', 'in.txt', 'inner/näme 名.txt'])
    expect(plans).toEqual([filled.base])
    expect(await sh('cat /work/in.txt; wc -c < /work/big.bin')).toBe(`first${big.length}`)

    // Nothing changed: nothing is saved.
    expect(await transfer({ base: filled.base })).toMatchObject({ savedFiles: 0, problem: '', base: filled.base })

    await sh(
      'echo changed > "/work/inner/näme 名.txt"; mkdir -p /work/out/deep; echo result > /work/out/deep/r.txt; rm /work/in.txt',
    )
    await driver.stop(ref)
    const saved = await transfer({ base: filled.base })
    expect(saved).toMatchObject({ problem: '', note: '', savedFiles: 2, savedBytes: 15, skippedCount: 0 })
    // A file that the program deleted stays.
    expect(await listed(one)).toMatchObject({
      'in.txt': 'first',
      'inner/näme 名.txt': 'changed\n',
      'out/deep/r.txt': 'result\n',
    })
    const current = saved.base['inner/näme 名.txt'] as string
    const { list: versions } = data(await one.storage.versions.list({ assetCid: current }))
    expect(versions.map(({ cid }) => cid)).toEqual([before])
    expect(await textOf(one.storage, before)).toBe('inner')

    // Again, as after a crash before the result was stored: nothing is saved twice.
    expect(await transfer({ base: filled.base })).toMatchObject({ savedFiles: 0, base: saved.base })
    expect(data(await one.storage.versions.list({ assetCid: current })).list).toHaveLength(1)
    await remove()
  })

  it('gets new files at the next start, and keeps what the program changed', async () => {
    const one = await owner(network)
    await put(one, 'mine.txt', 'one')
    await put(one, 'theirs.txt', 'one')
    const { sh, filled, restart, remove } = await program(driver, one)
    await sh('echo two > /work/mine.txt; echo own > /work/own.txt')
    await put(one, 'mine.txt', 'meanwhile')
    await put(one, 'theirs.txt', 'meanwhile')
    await put(one, 'new.txt', 'new')
    const again = await restart({ base: filled.base })
    expect(again).toMatchObject({ filled: true, problem: '', note: '', savedFiles: 2 })
    expect(await sh('cat /work/mine.txt /work/own.txt; cat /work/theirs.txt /work/new.txt')).toBe(
      'two\nown\nmeanwhilenew',
    )
    expect(await listed(one)).toEqual({
      'mine.txt': 'two\n',
      'own.txt': 'own\n',
      'theirs.txt': 'meanwhile',
      'new.txt': 'new',
    })
    // The other change of the same file is a version.
    const { list } = data(await one.storage.versions.list({ assetCid: again.base['mine.txt'] as string }))
    expect(await Promise.all(list.map(({ cid }) => textOf(one.storage, cid)))).toEqual(['meanwhile', 'one'])
    await remove()
  })

  it('is completed after an interrupted copy, whose leftovers are no changes of the program', async () => {
    const one = await owner(network)
    const cid = await put(one, 'a.txt', 'complete')
    const { sh, restart, filled, remove } = await program(driver, one)
    expect(filled.base).toEqual({ 'a.txt': cid })
    await sh('printf comp > /work/a.txt')
    const again = await restart({ copying: { 'a.txt': cid } })
    expect(again).toMatchObject({ filled: true, savedFiles: 0, base: { 'a.txt': cid } })
    expect(await sh('cat /work/a.txt')).toBe('complete')
    expect(await listed(one)).toEqual({ 'a.txt': 'complete' })
    await remove()
  })

  it('can be used by every user of the program', async () => {
    const one = await owner(network)
    await put(one, 'a.txt', 'a')
    const { sh, remove } = await program(driver, one)
    expect(await sh('stat -c %a /work/a.txt')).toBe('666')
    await remove()
  })

  it('never gives a program files of the machine, and says what is left out', async () => {
    const one = await owner(network)
    await put(one, 'a.txt', 'a')
    const { sh, filled, transfer, restart, remove } = await program(driver, one)
    await sh(`cd /work; ln -s /etc/passwd link; ln -s / all; mkfifo pipe; ln a.txt hard; : > empty
      mkdir "b\\\\c"; echo x > "b\\\\c/d"; echo y > "$(printf 'l\\nine')"; ln -s ../../../../etc up; ln -sfn /etc inner`)
    const saved = await transfer({ base: filled.base })
    expect(saved).toMatchObject({ problem: '', note: '' })
    expect(Object.keys(await listed(one)).filter((path) => path !== 'hard')).toEqual(['a.txt'])
    const reasons = Object.fromEntries(saved.skipped.map(({ path, reason }) => [path, reason]))
    expect(reasons).toMatchObject({ link: 'special', all: 'special', pipe: 'special', up: 'special', empty: 'empty' })
    // Links are not followed when files are copied, either.
    const inner = data(await one.storage.createFolder({ name: 'inner', parent: one.folder })).group.ID
    await put(one, 'hostname', 'stranger', inner)
    await put(one, 'link', 'stranger')
    const again = await restart({ base: saved.base })
    expect(again).toMatchObject({ filled: true, problem: '' })
    expect(again.skipped).toContainEqual({ path: 'inner/hostname', reason: 'twice' })
    expect(await sh('cat /etc/hostname; readlink /work/link /work/inner')).not.toContain('stranger')
    await remove()
  })

  it('with files that are larger than the disk, or too many, is refused with a reason', async () => {
    const one = await owner(network)
    await put(one, 'a.txt', 'a')
    const { sh, filled, transfer, remove } = await program(driver, one)
    await sh('dd if=/dev/zero of=/work/sparse bs=1 count=1 seek=400000000 2>/dev/null')
    expect(await transfer({ base: filled.base })).toMatchObject({ problem: 'large' })
    await sh('rm /work/sparse; for i in $(seq 1 11); do echo $i > /work/f$i; done')
    expect(await transfer({ base: filled.base })).toMatchObject({ problem: 'many' })
    expect(await transfer({ kind: 'fill', maxBytes: 0, base: filled.base })).toMatchObject({ problem: 'large' })
    await remove()
  })

  it('whose key was revoked, or that was deleted, is not touched', async () => {
    const one = await owner(network)
    await put(one, 'a.txt', 'a')
    const { sh, filled, transfer, remove } = await program(driver, one)
    await sh('echo more > /work/b.txt')
    data(await one.storage.deleteFolder({ groupId: one.folder }))
    expect(await transfer({ base: filled.base })).toMatchObject({ problem: 'folder', savedFiles: 0, base: filled.base })
    data(await one.storage.deleteKey({ name: 'program' }))
    await until(async () => (await transfer({ base: filled.base })).problem === 'key')
    await remove()
  })
})
