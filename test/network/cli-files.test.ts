import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createStorage, isSuccess } from '@tidenet/storage'
import { describe, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { cliNetwork, type Listing } from './cli-machine.ts'
import { until } from './wire-client.ts'

const cli = cliNetwork()
const { signedIn } = cli

describe('files', () => {
  it('are uploaded, listed, downloaded unchanged and stored once', async () => {
    const at = await signedIn()
    const small = await at.write('夏 天.jpg', 300_000)
    const large = await at.write('large.bin', 12_000_000)
    expect((await at.run(['mkdir', '-p', '/2026/夏'])).code).toBe(0)
    const up = await at.run(['up', '夏 天.jpg', 'large.bin', '/2026/夏'])
    expect(up).toMatchObject({ code: 0, err: '' })
    const { data } = await at.json<Listing>(['ls', '/2026/夏'])
    expect(data.list.map(({ name, size }) => [name, size]).sort()).toEqual([
      ['large.bin', 12_000_000],
      ['夏 天.jpg', 300_000],
    ])
    expect(up.out).toContain(data.list[0]?.cid)

    const get = await at.run(['get', '/2026/夏/夏 天.jpg', '--to', 'back.jpg'])
    expect(get).toMatchObject({ code: 0, err: '' })
    expect(small.equals(await at.read('back.jpg'))).toBe(true)
    const cid = data.list.find(({ name }) => name === 'large.bin')?.cid ?? ''
    expect((await at.run(['get', cid, '--to', 'copies/'])).code).toBe(0)
    expect(large.equals(await at.read('copies/large.bin'))).toBe(true)

    const again = await at.json<{ list: { isAlreadyExist: boolean; path: string }[] }>(['up', 'large.bin'])
    expect(again.data.list[0]).toMatchObject({ isAlreadyExist: true, path: '/2026/夏/large.bin' })
  })

  it('have receipts, which are saved by path or CID', { tags: ['long'] }, async () => {
    const at = await signedIn()
    await at.write('a.bin', 1000)
    const up = await at.json<{ list: { cid: string; receipt_id: number }[] }>(['up', 'a.bin'])
    const { cid = '', receipt_id: id } = up.data.list[0] ?? {}
    expect((await at.run(['receipt', 'a.bin'])).code).toBe(0)
    expect((await at.run(['receipt', cid, '--out', 'mine.json'])).code).toBe(0)
    const [byPath, byCid] = [await at.read(`receipt-${id}.json`), await at.read('mine.json')].map((file) =>
      JSON.parse(file.toString()),
    )
    expect(byPath).toMatchObject({ tidenet: 'receipt', version: 1, receipt: byCid.receipt })
    await at.run(['mkdir', 'folder'])
    expect((await at.run(['receipt', 'folder'])).code).toBe(2)
    expect((await at.run(['receipt', 'unknown'])).code).not.toBe(0)
  })

  it('are moved, renamed and deleted', async () => {
    const at = await signedIn()
    await at.write('a.bin', 1000)
    await at.write('b.bin', 2000)
    await at.run(['up', 'a.bin', 'b.bin', '--to', '/'])
    await at.run(['mkdir', 'one', 'two'])
    expect((await at.run(['mv', 'a.bin', 'b.bin', 'one'])).code).toBe(0)
    expect((await at.run(['mv', 'one/a.bin', '/c.bin'])).code).toBe(0)
    expect((await at.run(['mv', 'one', 'two/uno'])).code).toBe(0)
    const names = async (path: string) => (await at.json<Listing>(['ls', path])).data.list.map(({ name }) => name)
    expect(await names('/')).toEqual(['two', 'c.bin'])
    expect(await names('/two/uno')).toEqual(['b.bin'])
    expect((await at.run(['rm', '-y', 'two', 'c.bin'])).code).toBe(0)
    expect(await names('/')).toEqual([])
  })

  it('are written to standard output', async () => {
    const at = await signedIn()
    const bytes = await at.write('a.bin', 400_000)
    await at.run(['up', 'a.bin'])
    const get = at.start(['get', 'a.bin', '--to', '-'], { input: '' })
    const pieces: Buffer[] = []
    get.stdout?.on('data', (piece: Buffer) => pieces.push(piece))
    expect(await get.ended).toMatchObject({ code: 0, err: '' })
    expect(bytes.equals(Buffer.concat(pieces))).toBe(true)
  })

  it('are encrypted before upload and need their passphrase to decrypt', { tags: ['long'] }, async () => {
    const at = await signedIn()
    const bytes = await at.write('secret.bin', 50_000)
    const env = { TIDENET_PASSPHRASE: 'a long walk' }
    expect((await at.run(['up', 'secret.bin', '--encrypt'], { env })).code).toBe(0)
    expect((await at.json<Listing>(['ls'])).data.list[0]).toMatchObject({ name: 'secret.bin', encrypted: true })
    await at.run(['get', 'secret.bin', '--to', 'stored'])
    expect((await at.read('stored')).subarray(0, 21).toString()).toBe('age-encryption.org/v1')
    expect((await at.run(['get', 'secret.bin', '--decrypt', '--to', 'opened'], { env })).code).toBe(0)
    expect(bytes.equals(await at.read('opened'))).toBe(true)
    const wrong = await at.run(['get', 'secret.bin', '--decrypt', '--to', 'no'], {
      env: { TIDENET_PASSPHRASE: 'a guess' },
    })
    expect(wrong.code).toBe(1)
    expect(existsSync(join(at.work, 'no'))).toBe(false)
  })
})

describe('files of encrypted folders', () => {
  it('are encrypted and opened with the passphrase or the recovery kit, and by nothing else', async () => {
    const at = await signedIn()
    const env = { TIDENET_PASSPHRASE: 'a long walk home' }
    expect((await at.run(['vault'])).code).toBe(4)
    const storage = createStorage({ url: cli.network.url, token: at.person.token })
    const draft = await storage.vault.prepare({ passphrase: env.TIDENET_PASSPHRASE, workFactor: 10 })
    if (!isSuccess(draft)) throw new Error(draft.msg)
    await writeFile(join(at.work, 'kit.txt'), draft.data.kit)
    expect((await draft.data.save()).code).toBe(0)
    expect((await storage.createFolder({ name: 'private', encrypted: true })).code).toBe(0)
    const bytes = await at.write('secret.bin', 50_000)

    expect((await at.run(['up', 'secret.bin', '--to', '/private'])).code).not.toBe(0)
    expect((await at.run(['up', 'secret.bin', '--vault', '--to', '/private'], { env })).code).toBe(0)
    expect((await at.run(['up', 'secret.bin', '--kit', 'kit.txt', '--name', 'two.bin', '--to', '/private'])).code).toBe(
      0,
    )
    for (const [name, how] of [
      ['secret.bin', ['--kit', 'kit.txt']],
      ['two.bin', ['--vault']],
    ] as const) {
      expect((await at.run(['get', `/private/${name}`, ...how, '--to', `out ${name}`], { env })).code).toBe(0)
      expect(bytes.equals(await at.read(`out ${name}`))).toBe(true)
    }
    expect((await at.json<{ files: number }>(['vault'])).data.files).toBe(2)

    const wrong = { env: { TIDENET_PASSPHRASE: 'another long walk' } }
    expect((await at.run(['get', '/private/two.bin', '--vault', '--to', 'no'], wrong)).code).toBe(1)
    expect(existsSync(join(at.work, 'no'))).toBe(false)
    expect((await at.run(['get', '/private/two.bin', '--vault', '--kit', 'kit.txt'])).code).toBe(2)
  })
})

describe('folders', () => {
  it('become folders of the account; a second run sends only what changed', async () => {
    const at = await signedIn()
    const deep = await at.write('tree/深/deep.bin', 70_000)
    await at.write('tree/top.bin', 10)
    const up = () => at.json<{ list: { path: string; uploaded: number; same: number }[] }>(['up', 'tree'])
    expect((await up()).data.list).toMatchObject([{ path: '/tree', uploaded: 2, same: 0 }])
    expect((await at.run(['get', '/tree/深/deep.bin', '--to', 'one.bin'])).code).toBe(0)
    expect(deep.equals(await at.read('one.bin'))).toBe(true)
    await at.write('tree/top.bin', 20)
    await at.write('tree/深/new.bin', 30)
    expect((await up()).data.list).toMatchObject([{ uploaded: 2, same: 1 }])
    const listed = await at.run(['ls', '/tree'])
    expect(listed.out.match(/top/g)).toHaveLength(1)
    expect((await at.run(['up', 'tree', '--on-conflict', 'guess'])).code).toBe(2)
  })

  it('that are sealed are downloaded as tar or unpacked', { tags: ['long'] }, async () => {
    const at = await signedIn()
    const deep = await at.write('tree/深/deep.bin', 70_000)
    await at.write('tree/top.bin', 10)
    expect((await at.run(['up', 'tree', '--sealed'])).code).toBe(0)
    expect((await at.run(['get', 'tree'])).code).toBe(0)
    expect(existsSync(join(at.work, 'tree.tar'))).toBe(true)
    const unpacked = await at.json<{ list: { size: number }[] }>(['get', 'tree', '-x', '--to', 'copy'])
    expect(unpacked).toMatchObject({ code: 0, data: { list: [{ size: 70_010 }] } })
    expect(deep.equals(await at.read('copy/深/deep.bin'))).toBe(true)
    expect((await readdir(at.work)).sort()).toEqual(['copy', 'tree', 'tree.tar'])
  })

  it('are saved as one ZIP with their paths', async () => {
    const at = await signedIn()
    const [deep, alone] = [await at.write('tree/深/deep.bin', 70_000), await at.write('alone.bin', 6_000_000)]
    expect((await at.run(['up', 'tree', 'alone.bin', '--to', '/'])).code).toBe(0)
    const contents = async (name: string) => {
      const zip = await fromBufferPromise(await at.read(name), { lazyEntries: true, autoClose: false })
      const found = new Map<string, Buffer>()
      for await (const entry of zip.eachEntry())
        found.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
      return found
    }
    expect((await at.run(['get', '/tree', '/alone.bin', '--zip'])).code).toBe(0)
    const found = await contents('tidenet.zip')
    expect([...found.keys()]).toEqual(['alone.bin', 'tree/深/deep.bin'])
    expect(deep.equals(found.get('tree/深/deep.bin') as Buffer)).toBe(true)
    expect(alone.equals(found.get('alone.bin') as Buffer)).toBe(true)
    expect((await at.run(['get', '/', '--zip', '--to', 'all.zip'])).code).toBe(0)
    expect((await contents('all.zip')).size).toBe(2)
    // An existing file is not overwritten, and a ZIP is not unpacked.
    expect((await at.run(['get', '/tree', '--zip', '--to', 'all.zip'])).code).not.toBe(0)
    expect((await at.run(['get', '/tree', '--zip', '-x'])).code).toBe(2)
  })

  it('of the account are downloaded as folders; a second run fetches only missing files', async () => {
    const at = await signedIn()
    const files = ['a.bin', 'b.bin', 'c.bin', 'd.bin', 'e.bin']
    const bytes = await Promise.all(files.map((name, index) => at.write(name, 1000 * (index + 1))))
    await at.run(['up', ...files.slice(0, 3), '/all/sub', '-p'])
    await at.run(['up', ...files.slice(3), '/all'])
    expect(await at.run(['get', '/all', '--to', 'here'])).toMatchObject({ code: 0, err: '' })
    expect(bytes[0]?.equals(await at.read('here/sub/a.bin'))).toBe(true)
    expect(bytes[4]?.equals(await at.read('here/e.bin'))).toBe(true)
    await rm(join(at.work, 'here/e.bin'))
    const { data } = await at.json<{ list: { path: string; had: boolean }[] }>(['get', '/all', '--to', 'here'])
    expect(data.list.filter(({ had }) => !had).map(({ path }) => path)).toEqual(['here/e.bin'])
    expect(data.list).toHaveLength(5)
  })
})

describe('an interrupted transfer', () => {
  const SIZE = 64_000_000

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'resumes an upload interrupted by %s when it is run again',
    async (signal) => {
      const at = await signedIn()
      await at.write('large.bin', SIZE)
      const remembered = join(at.config, 'uploads.json')
      const up = at.start(['up', 'large.bin', '--json'], { input: '' })
      await until(async () => existsSync(remembered))
      up.kill(signal)
      const { code, out } = await up.ended
      if (signal === 'SIGINT') {
        expect(code).toBe(130)
        expect(JSON.parse(out)).toMatchObject({ code: -200 })
      }
      const [{ location, token }] = Object.values(JSON.parse(await readFile(remembered, 'utf8'))) as [
        { location: string; token: string },
      ]
      expect((await stat(remembered)).mode & 0o777).toBe(0o600)
      const held = await fetch(location, {
        method: 'HEAD',
        headers: { 'Tus-Resumable': '1.0.0', Authorization: `Bearer ${token}` },
      })
      expect(held.headers.get('upload-length')).toBe(String(SIZE))

      expect((await at.run(['up', 'large.bin'])).code).toBe(0)
      expect(JSON.parse(await readFile(remembered, 'utf8'))).toEqual({})
      // The file of the account equals the local one.
      const { data } = await at.json<{ list: { had: boolean }[] }>(['get', 'large.bin'])
      expect(data.list[0]?.had).toBe(true)
    },
  )

  it('resumes a download when it is run again', async () => {
    const at = await signedIn()
    const bytes = await at.write('large.bin', SIZE)
    await at.run(['up', 'large.bin'])
    const get = at.start(['get', 'large.bin', '--to', 'back.bin'], { input: '' })
    await until(async () => existsSync(join(at.work, 'back.bin.part')))
    get.kill('SIGKILL')
    await get.ended
    expect(existsSync(join(at.work, 'back.bin'))).toBe(false)
    expect((await at.run(['get', 'large.bin', '--to', 'back.bin'])).code).toBe(0)
    expect(bytes.equals(await at.read('back.bin'))).toBe(true)
    expect((await readdir(at.work)).sort()).toEqual(['back.bin', 'large.bin'])
  })
})

describe('a long link', () => {
  it('has a password and an expiry, and an item has one', { tags: ['long'] }, async () => {
    const at = await signedIn()
    await at.write('a.bin', 1000)
    await at.run(['up', 'a.bin'])
    interface Link {
      short_link: string
      short_pass: string
      expire_at: number
    }
    const made = await at.json<Link>(['share', 'a.bin', '--long', '--days', '7', '--password', 'abc123'])
    const page = await fetch(made.data.short_link, { redirect: 'manual' })
    expect(page.status).toBe(302)
    const days = (made.data.expire_at - Date.now() / 1000) / 86_400
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThan(7.1)
    const text = await at.run(['share', 'a.bin', '--long'])
    expect(text.out).toContain('abc123')
    expect(text.out).toContain(made.data.short_link)
    expect((await at.json<Link>(['share', 'a.bin', '--long', '--no-password'])).data).toMatchObject({
      short_pass: '',
      expire_at: made.data.expire_at,
    })
    expect((await at.json<Listing>(['ls'])).data.list[0]?.shared).toBe(true)
    expect((await at.run(['share', 'a.bin', '--off'])).code).toBe(0)
    expect((await at.json<Listing>(['ls'])).data.list[0]?.shared).toBe(false)
  })
})

describe('refused', () => {
  it('are paths that do not exist, and changes that would overwrite something', async () => {
    const at = await signedIn()
    await at.write('a.bin', 1000)
    await at.write('b.bin', 2000)
    await at.run(['up', 'a.bin', 'b.bin', '--to', '/'])
    await at.run(['mkdir', 'folder'])
    const code = async (...args: string[]) => (await at.run(args)).code
    expect(await code('get', 'nothing')).toBe(4)
    expect(await code('ls', '/folder/nothing')).toBe(4)
    expect(await code('up', 'a.bin', '/nothing')).toBe(4)
    expect(await code('mv', 'a.bin', 'nothing/x')).toBe(4)
    expect(await code('mkdir', 'folder')).toBe(1)
    expect(await code('mv', 'a.bin', 'b.bin')).toBe(1)
    expect(await code('mv', 'folder', 'folder/inner')).toBe(1)
    expect(await code('rm', 'a.bin')).toBe(2)
    expect(await code('rm', '-y', '/')).toBe(2)
    expect(await code('get', 'a.bin', '--to', '-', '--json')).toBe(2)
    expect(await code('share', 'a.bin', '--password', 'short')).toBe(2)
    expect(await code('share', '/')).toBe(2)
    expect(await code('share', 'a.bin', '--long', '--limit', '3')).toBe(2)
    expect(await code('link', 'rm', 'unknown')).toBe(4)
    // A local file is overwritten only with -f.
    expect(await code('get', 'a.bin', '--to', 'b.bin')).toBe(1)
    expect((await at.read('b.bin')).length).toBe(2000)
    expect(await code('get', 'a.bin', '--to', 'b.bin', '-f')).toBe(0)
    expect((await at.json<Listing>(['ls'])).data.list).toHaveLength(3)
  })

  it('is said once with its reason if nothing of a folder could be stored', async () => {
    const at = await signedIn()
    await cli.database((database) =>
      database.query('update users set storage_quota = 0 where email = $1', [at.person.username]),
    )
    for (const name of ['a.bin', 'b.bin']) await at.write(`full/${name}`, 1000)
    const { code, out, err } = await at.run(['up', 'full'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    const { data } = await at.json<{ msg: string; list: object[]; failed: { msg: string }[] }>(['up', 'full'])
    expect(data.list).toMatchObject([{ path: '/full', uploaded: 0, failed: 2 }])
    expect(err).toContain(data.failed[0]?.msg)
    expect(data.msg).toBe(err.trimEnd())
  })

  it('is one of several; the others are done', { tags: ['long'] }, async () => {
    const at = await signedIn()
    await at.write('a.bin', 1000)
    await at.run(['up', 'a.bin'])
    await at.run(['mkdir', 'one'])
    const { code, data } = await at.json<{ code: number; list: { path: string }[]; failed: { name: string }[] }>([
      'mkdir',
      'one',
      'two',
    ])
    expect(code).toBe(1)
    expect(data.list).toMatchObject([{ path: '/two' }])
    expect(data.failed).toMatchObject([{ name: 'one' }])
  })
})
