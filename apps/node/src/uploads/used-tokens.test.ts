import { cp, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UPLOAD_TOKEN_LIFE } from '@tidenet/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openUsedTokens, type UsedToken, type UsedTokens } from './used-tokens.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'used-tokens-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** As an upload does it: synced, and in the place where the write-ahead log puts it. */
async function add(used: UsedTokens, token: UsedToken): Promise<void> {
  const { path, bytes } = used.asWrite(token)
  const file = await open(join(folder, path), 'a')
  await file.appendFile(bytes)
  await file.sync()
  await file.close()
  used.noted(token)
}

const entry = (upload: string, exp: number) => ({ upload, cid: 'cid', size: 1, receipt: 'receipt', exp })

describe('used upload tokens', () => {
  it('are known for a day after they expire, because an upload may end later, and take no memory afterwards', async () => {
    let now = 0
    const start = () => openUsedTokens(folder, () => now)
    const used = await start()
    await add(used, entry('first', 10))
    used.noted(entry('second', 20))
    now = 9000
    await add(used, entry('third', 30))
    expect(used.get('first')).toMatchObject({ receipt: 'receipt' })
    now = 15_000 + UPLOAD_TOKEN_LIFE
    await add(used, entry('fourth', 40))
    expect(['first', 'second', 'third', 'fourth'].map((name) => used.get(name)?.exp)).toEqual([undefined, 20, 30, 40])
    await used.close()
    now = 35_000
    const again = await start()
    expect(['third', 'fourth'].map((name) => again.get(name)?.exp)).toEqual([undefined, 40])
    await again.close()
  })

  it('take no more memory than their limit: the oldest are forgotten, also after a restart', async () => {
    const start = (max: number) => openUsedTokens(folder, () => 0, { max })
    const names = ['first', 'second', 'third', 'fourth']
    const known = (used: Awaited<ReturnType<typeof start>>) => names.filter((name) => used.get(name))
    const used = await start(3)
    for (const name of names) await add(used, entry(name, 10))
    expect(known(used)).toEqual(['second', 'third', 'fourth'])
    await used.close()
    const again = await start(2)
    expect(known(again)).toEqual(['third', 'fourth'])
    await again.close()
  })

  describe('in files', () => {
    let now = 0
    beforeEach(() => {
      now = 0
    })
    const MIN_BYTES = 4000
    const start = () => openUsedTokens(folder, () => now, { minBytes: MIN_BYTES })
    const written = async () => {
      const sizes = await Promise.all(
        // A file may be replaced at any moment.
        (await readdir(folder)).map((name) =>
          stat(join(folder, name)).then(
            ({ size }) => size,
            () => 0,
          ),
        ),
      )
      return sizes.reduce((sum, size) => sum + size, 0)
    }

    it('that do not grow with the time that the node runs', async () => {
      const used = await start()
      for (let number = 0; number < 600; number++) {
        // Few are valid at a time.
        now += UPLOAD_TOKEN_LIFE / 10
        await add(used, entry(`number ${number}`, now / 1000))
        expect(await written()).toBeLessThan(4 * MIN_BYTES)
      }
      await used.close()
    })

    it('that have every use, whenever the node is killed', async () => {
      const used = await start()
      const names = Array.from({ length: 400 }, (_, number) => `number ${number}`)
      const late = used.asWrite(entry('late', 10))
      for (const [number, name] of names.entries()) {
        await add(used, entry(name, 10))
        if (number % 50 > 0) continue
        const again = await openUsedTokens(await copyOf(folder), () => now)
        expect(names.filter((each) => again.get(each))).toHaveLength(number + 1)
        await again.close()
      }
      expect((await readdir(folder)).length).toBeLessThanOrEqual(2)
      // The write-ahead log puts it where it was to be, although other files followed since.
      await writeFile(join(folder, late.path), late.bytes, { flag: 'a' })
      await used.close()
      const again = await start()
      expect([...names, 'late'].every((name) => again.get(name))).toBe(true)
      expect(await readdir(folder)).toEqual(['uploads.jsonl'])
      await again.close()
    })

    it('of which one is incomplete after a kill, and is deleted', async () => {
      const used = await start()
      await add(used, entry('first', 10))
      await used.close()
      await writeFile(join(folder, 'uploads-1.jsonl.new'), '{"upload":"fir')
      const again = await start()
      expect(again.get('first')).toMatchObject({ receipt: 'receipt' })
      expect(await readdir(folder)).toEqual(['uploads.jsonl'])
      await again.close()
    })
  })
})

const copies: string[] = []
afterEach(async () => {
  for (const copy of copies.splice(0)) await rm(copy, { recursive: true })
})

/** What the node leaves if it is killed at one moment. */
async function copyOf(data: string): Promise<string> {
  for (;;) {
    const copy = await mkdtemp(join(tmpdir(), 'used-tokens-'))
    copies.push(copy)
    const names = (await readdir(data)).sort()
    await Promise.all(names.map((name) => cp(join(data, name), join(copy, name)).catch(() => {})))
    if ((await readdir(data)).sort().join() === names.join()) return copy
  }
}
