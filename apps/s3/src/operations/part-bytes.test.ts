import type { ObjectPart } from '@tidenet/contract'
import { readTarget } from '@tidenet/s3-wire'
import { expect, it } from 'vitest'
import type { ObjectExchange } from '../exchange.ts'
import { EMPTY_CID } from '../small-writes.ts'
import { bytesOf } from './part-bytes.ts'

/** An upload whose parts have these contents when they are opened; empty: no bytes. */
function uploadOf(cids: readonly string[]) {
  const transfers = {
    api: { call: async (_: string, { number }: { number: number }) => cids[number - 1] },
    async open(ask: (key: string) => Promise<string>) {
      const cid = await ask('')
      const content = {
        async *read(start: number, end: number) {
          if (cid !== '') yield Buffer.from(cid).subarray(start, end)
        },
        async end() {},
      }
      return { code: 0, msg: '', data: { sources: cid === '' ? null : { asset_cid: cid }, content } }
    },
  }
  const target = readTarget('/films/movie?uploadId=id')
  const address = { bucket: 'films', key: 'movie' }
  const { signal } = new AbortController()
  return { caller: { transfers }, address, target, signal } as unknown as ObjectExchange
}
const partsOf = (cids: readonly string[]) =>
  cids.map((cid, index) => ({ number: index + 1, cid: cid || EMPTY_CID, size: cid.length })) as ObjectPart[]
async function read(chosen: readonly string[], there: readonly string[]): Promise<string> {
  let text = ''
  for await (const piece of bytesOf(uploadOf(there), partsOf(chosen))) text += Buffer.from(piece).toString()
  return text
}

it('the bytes of parts follow one another, also of one without any', async () => {
  expect(await read(['one', 'two', ''], ['one', 'two', ''])).toBe('onetwo')
})

it('a part that was replaced since it was chosen is refused: the ETag of the object would be that of other bytes', async () => {
  for (const there of [
    ['one', 'six'],
    ['one', ''],
  ])
    await expect(read(['one', 'two'], there)).rejects.toMatchObject({ code: 'InvalidPart' })
})
