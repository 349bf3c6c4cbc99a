import { join } from 'node:path'
import { createStorage } from '@tidenet/storage'
import { describe, expect, it } from 'vitest'
import { cliNetwork } from './cli-machine.ts'

const cli = cliNetwork()
const { signedIn } = cli

interface Link {
  id: string
  url: string
  form: string
  state: string
  short_pass: string
  expire_time: number
  max_downloads: number
  note: string
}

describe('a short link of the command line', () => {
  it('opens the file to a visitor who knows its password, as often as its limit allows', async () => {
    const at = await signedIn()
    const bytes = await at.write('a.bin', 1000)
    await at.run(['up', 'a.bin'])
    const terms = ['--days', '7', '--password', 'abc123', '--limit', '1', '--note', 'for the printer']
    const { data: link } = await at.json<Link>(['share', 'a.bin', ...terms])
    expect(link).toMatchObject({ short_pass: 'abc123', max_downloads: 1, note: 'for the printer', state: 'live' })
    expect(link.url).toMatch(/\/s\/[1-9A-Za-z]{16}$/)
    expect(Math.round((link.expire_time - Date.now() / 1000) / 86_400)).toBe(7)

    const visitor = createStorage({ url: cli.network.url })
    const token = link.url.split('/').at(-1) ?? ''
    expect((await visitor.api.call('shortLinks.open', { token, password: 'wrong1' })).code).not.toBe(0)
    const opened = await visitor.api.call('shortLinks.open', { token, password: 'abc123' })
    if (opened.code !== 0) throw new Error(opened.msg)
    const { user_id: userId, ticket, cid } = opened.data as { user_id: string; ticket: string; cid: string }
    const got = await visitor.downloadAsset({ assetCid: cid, userId, ticket, to: { path: join(at.work, 'copy.bin') } })
    expect(got.code).toBe(0)
    expect(bytes.equals(await at.read('copy.bin'))).toBe(true)
    expect((await at.json<{ list: Link[] }>(['links'])).data.list).toMatchObject([{ id: link.id, state: 'used_up' }])
  })

  it('is one of several of the item: listed, changed, revoked by its address and restored', {
    tags: ['long'],
  }, async () => {
    const at = await signedIn()
    await at.write('a.bin', 1000)
    await at.write('b.bin', 2000)
    await at.run(['up', 'a.bin', 'b.bin', '--to', '/'])
    const { data: first } = await at.json<Link>(['share', 'a.bin'])
    const { data: second } = await at.json<Link>(['share', 'a.bin', '--password', 'abc123'])
    const { data: other } = await at.json<Link>(['share', 'b.bin'])
    const { data: long } = await at.json<Link>(['share', 'b.bin', '--long'])
    const ids = async (...args: string[]) =>
      (await at.json<{ list: Link[] }>(['links', ...args])).data.list.map(({ id }) => id).sort()
    expect(await ids('a.bin')).toEqual([first.id, second.id].sort())
    expect(await ids()).toEqual([first.id, second.id, other.id, long.id].sort())
    expect((await at.run(['links'])).out).toContain(first.url)

    const changed = await at.json<Link>(['link', 'change', second.id, '--no-password', '--limit', '5'])
    expect(changed.data).toMatchObject({ url: second.url, short_pass: '', max_downloads: 5 })
    expect((await at.run(['link', 'rm', first.url])).code).toBe(0)
    expect(await ids('a.bin')).toEqual([second.id])
    expect((await at.run(['link', 'restore', first.id])).code).toBe(0)
    expect((await at.json<{ list: Link[] }>(['links', 'a.bin'])).data.list.map(({ url }) => url)).toContain(first.url)

    expect((await at.run(['link', 'rm', long.id])).code).toBe(0)
    expect(await ids('b.bin')).toEqual([other.id])
    expect((await at.run(['share', 'a.bin', '--off'])).code).toBe(0)
    expect(await ids()).toEqual([other.id])
  })

  it('cannot be changed by others, nor by what it is not', { tags: ['long'] }, async () => {
    const at = await signedIn()
    await at.write('a.bin', 1000)
    await at.run(['up', 'a.bin'])
    const { data: link } = await at.json<Link>(['share', 'a.bin'])
    const { data: long } = await at.json<Link>(['share', 'a.bin', '--long'])
    expect((await at.run(['link', 'change', long.id, '--days', '7'])).code).toBe(2)
    const stranger = await signedIn()
    expect((await stranger.run(['link', 'rm', link.id])).code).toBe(4)
    expect((await stranger.run(['link', 'rm', link.url])).code).toBe(4)
    expect((await stranger.run(['link', 'restore', link.id])).code).toBe(4)
    expect((await at.json<{ list: Link[] }>(['links'])).data.list).toHaveLength(2)
  })
})
