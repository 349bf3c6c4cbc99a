import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { describe, expect, it } from 'vitest'
import { readFiles } from './multipart.ts'

/** A request whose body a test writes. */
function begin() {
  const body = new PassThrough()
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const request = Object.assign(body, { headers, complete: false }) as unknown as IncomingMessage
  return { body, request }
}
const file = (bytes: string) =>
  `--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n${bytes}\r\n--b\r\n`
const whole = (stream: Readable) => finished(stream.resume())
const never = new AbortController().signal

describe('a form of several files', () => {
  it('ends with the reason of the signal, also while its sender is silent between two files', async () => {
    const { body, request } = begin()
    const slow = new AbortController()
    let taken = () => {}
    const first = new Promise<void>((resolve) => (taken = resolve))
    const reading = readFiles(request, { most: 9, signal: slow.signal }, async (_token, stream) => {
      await whole(stream)
      taken()
    })
    body.write(file('one'))
    await first
    slow.abort(new Error('too slow'))
    await expect(reading).rejects.toThrow('too slow')
  })

  it('is not over while one of its files is being taken, and begins no other after an error', async () => {
    const { body, request } = begin()
    const seen: string[] = []
    let go = () => {}
    const held = new Promise<void>((resolve) => (go = resolve))
    const reading = readFiles(request, { most: 9, signal: never }, async () => {
      seen.push('begins')
      await held
      seen.push('ends')
    }).catch(() => seen.push('over'))
    body.end(file('one') + file('two'))
    await finished(body).catch(() => {})
    setImmediate(go)
    await reading
    expect(seen).toEqual(['begins', 'ends', 'over'])
  })

  it('gives an error to whoever reads a file when it breaks off', async () => {
    const { body, request } = begin()
    const ends: string[] = []
    const stop = new AbortController()
    let begun = () => {}
    const first = new Promise<void>((resolve) => (begun = resolve))
    const reading = readFiles(request, { most: 9, signal: stop.signal }, async (_token, stream) => {
      begun()
      await whole(stream).catch(() => ends.push('failed'))
    })
    body.write('--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\nsome bytes')
    await first
    stop.abort(new Error('gone'))
    await expect(reading).rejects.toThrow('gone')
    expect(ends).toEqual(['failed'])
  })
})
