import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cliNetwork } from './cli-machine.ts'

const cli = cliNetwork()
const { signedIn } = cli

interface Published {
  cid: string
  state: string
  url: string
}

describe('publishing with the command line', () => {
  it('publishes a file and a stored folder, lists them, and ends it', async () => {
    const at = await signedIn()
    await at.write('a.bin', 1000)
    await mkdir(join(at.work, 'tree'))
    await writeFile(join(at.work, 'tree', 'b.txt'), 'text')
    await at.run(['up', 'a.bin'])
    await at.run(['up', '--sealed', 'tree'])
    const { data: file } = await at.json<Published>(['publish', 'a.bin'])
    expect(file).toMatchObject({ state: 'ready' })
    await at.json<Published>(['publish', 'tree'])
    const { data } = await at.json<{ list: Published[] }>(['published'])
    expect(data.list.map(({ state }) => state)).toEqual(['ready', 'ready'])
    await at.run(['unpublish', 'a.bin'])
    expect((await at.json<{ list: Published[] }>(['published'])).data.list.map(({ cid }) => cid)).not.toContain(
      file.cid,
    )
  })

  it('publishes a folder of single files as it is, and again', async () => {
    const at = await signedIn()
    await at.write('c.bin', 1000)
    await at.write('d.bin', 500_000)
    await at.run(['mkdir', 'docs'])
    await at.run(['up', 'c.bin', '--to', 'docs'])
    const { data: first } = await at.json<Published>(['publish', 'docs'])
    expect(first).toMatchObject({ state: 'ready' })
    await at.run(['up', 'd.bin', '--to', 'docs'])
    const { data: second } = await at.json<Published>(['publish', 'docs'])
    expect(second).toMatchObject({ state: 'ready' })
    expect(second.cid).not.toBe(first.cid)
    expect((await at.json<{ list: Published[] }>(['published'])).data.list.map(({ cid }) => cid)).toEqual([second.cid])
    await at.run(['unpublish', 'docs'])
    expect((await at.json<{ list: Published[] }>(['published'])).data.list).toEqual([])
  })

  it('refuses empty folders, and what is not published', async () => {
    const at = await signedIn()
    await at.write('c.bin', 1000)
    await at.run(['mkdir', 'docs'])
    await at.run(['up', 'c.bin'])
    expect((await at.run(['publish', 'docs'])).code).not.toBe(0)
    expect((await at.run(['unpublish', 'c.bin'])).code).not.toBe(0)
  })
})
