import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { READS_MAX, SMALL_BYTES } from './repeated-reads.ts'
import { type SampleDownloads, sampleDownloads } from './sample-downloads.fixture.ts'

let env: SampleDownloads['env']
let get: SampleDownloads['get']
let file: SampleDownloads['file']
beforeAll(async () => {
  ;({ env, get, file } = await sampleDownloads())
})
afterAll(() => env.stop())

describe('reads with one opening of a content', () => {
  // The file is small: it may be read until these bytes are used up.
  const reads = () => Math.floor(SMALL_BYTES / file.bytes.length)
  const read = async (tid: string, more: { headers?: Record<string, string>; method?: string; typ?: 'pull' } = {}) => {
    const { typ = 'download', ...rest } = more
    const answer = await get(`/ipfs/${file.cid}`, { claims: { tid, typ }, ...rest })
    await answer.arrayBuffer()
    return answer.status
  }
  const readAll = async (tid: string) => {
    for (let each = 0; each < reads(); each++) expect(await read(tid)).toBe(200)
  }

  it('are allowed more often than the server counts', () => {
    expect(reads()).toBeGreaterThan(READS_MAX)
  })

  it('may be of many parts, at the same time, and end early', async () => {
    const headers = { range: 'bytes=1000-1999' }
    const all = await Promise.all(Array.from({ length: 100 }, () => read('parts', { headers })))
    expect(new Set(all)).toEqual(new Set([206]))
    for (let each = 0; each < reads() * 2; each++) expect(await read('parts', { method: 'HEAD' })).toBe(200)
    expect(await read('parts')).toBe(200)
  })

  it('are refused beyond the limit, also with a new token of the same opening', async () => {
    await readAll('again')
    expect(await read('again')).toBe(429)
    const part = { headers: { range: `bytes=0-${SMALL_BYTES - reads() * file.bytes.length}` } }
    expect(await read('again', part)).toBe(429)
    const car = await get(`/ipfs/${file.cid}?format=car`, { claims: { tid: 'again' } })
    expect(await car.json()).toMatchObject({ code: -1, err: 10008 })
    expect(await read('another')).toBe(200)
    expect(await read('again', { typ: 'pull' })).toBe(200)
  })

  it('are refused beyond the limit, if all begin at the same time', async () => {
    const all = await Promise.all(Array.from({ length: reads() * 2 }, () => read('together')))
    expect(all.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect(all.filter((status) => status === 200).length).toBeLessThanOrEqual(reads())
  })
})
