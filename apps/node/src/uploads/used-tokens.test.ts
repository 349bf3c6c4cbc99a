import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UPLOAD_TOKEN_LIFE } from '@tidenet/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openUsedTokens } from './used-tokens.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'used-tokens-'))
})
afterEach(() => rm(folder, { recursive: true }))

const entry = (upload: string, exp: number) => ({ upload, cid: 'cid', size: 1, receipt: 'receipt', exp })

describe('used upload tokens', () => {
  it('are known for a day after they expire, because an upload may end later, and take no memory afterwards', async () => {
    let now = 0
    const open = () => openUsedTokens(folder, () => now)
    const used = await open()
    await used.add(entry('first', 10))
    used.noted(entry('second', 20))
    now = 9000
    await used.add(entry('third', 30))
    expect(used.get('first')).toMatchObject({ receipt: 'receipt' })
    now = 15_000 + UPLOAD_TOKEN_LIFE
    await used.add(entry('fourth', 40))
    expect(['first', 'second', 'third', 'fourth'].map((name) => used.get(name)?.exp)).toEqual([undefined, 20, 30, 40])
    await used.close()
    now = 35_000
    const again = await open()
    expect(['third', 'fourth'].map((name) => again.get(name)?.exp)).toEqual([undefined, 40])
    await again.close()
  })

  it('take no more memory than their limit: the oldest are forgotten, also after a restart', async () => {
    const open = (max: number) => openUsedTokens(folder, () => 0, max)
    const names = ['first', 'second', 'third', 'fourth']
    const known = (used: Awaited<ReturnType<typeof open>>) => names.filter((name) => used.get(name))
    const used = await open(3)
    for (const name of names) await used.add(entry(name, 10))
    expect(known(used)).toEqual(['second', 'third', 'fourth'])
    await used.close()
    const again = await open(2)
    expect(known(again)).toEqual(['third', 'fourth'])
    await again.close()
  })
})
