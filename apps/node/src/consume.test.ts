import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { consume } from './consume.ts'

const collect = (source: Readable, options = {}) => {
  const chunks: Buffer[] = []
  return consume(source, (chunk) => void chunks.push(chunk) as undefined, options).then(() => Buffer.concat(chunks))
}

describe('a stream that is consumed', () => {
  it('arrives complete and in order', async () => {
    const bytes = await collect(Readable.from([Buffer.from('a'), Buffer.from('b'), Buffer.from('c')]))
    expect(bytes.toString()).toBe('abc')
  })

  it('waits for slow consumers, also at its end', async () => {
    const taken: string[] = []
    await consume(Readable.from([Buffer.from('a'), Buffer.from('b')]), async (chunk) => {
      await new Promise((resolve) => setImmediate(resolve))
      taken.push(chunk.toString())
    })
    expect(taken).toEqual(['a', 'b'])
  })

  it('fails when the sender disconnects', async () => {
    const source = new PassThrough()
    source.write('half')
    const result = collect(source)
    setImmediate(() => source.destroy())
    await expect(result).rejects.toThrow()
  })

  it('fails when the sender goes silent', async () => {
    await expect(collect(new PassThrough(), { silenceMs: 10 })).rejects.toThrow()
  })

  it('fails when the consumer fails, and when it is aborted', async () => {
    const refuse = consume(Readable.from([Buffer.from('a')]), () => Promise.reject(new Error('full')))
    await expect(refuse).rejects.toThrow('full')
    await expect(collect(new PassThrough(), { signal: AbortSignal.abort() })).rejects.toThrow()
  })
})
