import { randomBytes } from 'node:crypto'
import { type Cid, createFileHasher } from '@tidenet/content'
import { carHeader } from '@tidenet/content/car'
import { fileCarSize, fileFrames } from '@tidenet/content/file-car'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sending, Stored, ThirdParty } from './adapter.ts'
import { bytesFromProvider, readBack } from './blocks.ts'

/** A provider under test. */
export interface Tested {
  provider: ThirdParty
  /** Makes the content fetchable for providers that fetch it themselves. @returns its addresses */
  offer?: (car: () => AsyncIterable<Uint8Array>, cid: Cid) => Promise<string[]>
  /** Lets a replica become stored, for example by moving the clock. */
  pass?: () => void
  close(): Promise<void>
}

const SIZE = 900_000
const signal = new AbortController().signal

async function sample(size = SIZE) {
  const bytes = randomBytes(size)
  const hasher = createFileHasher()
  hasher.update(bytes)
  const hashed = await hasher.finish()
  async function* car(): AsyncIterable<Uint8Array> {
    yield carHeader([hashed.cid])
    const whole = (async function* () {
      yield bytes
    })()
    yield* fileFrames(hashed, whole, { start: 0, onChanged: () => new Error('changed') })
  }
  const content: Stored = { cid: hashed.cid, kind: 'file', size, key: crypto.randomUUID() }
  return { bytes, car, content, carSize: fileCarSize(hashed) }
}

/** What every provider must do, whatever it is. What a simulation cannot do, it says. */
export function adaptersSuite(name: string, setUp: () => Promise<Tested>): void {
  describe(`a third-party provider: ${name}`, () => {
    let tested: Tested
    beforeAll(async () => {
      tested = await setUp()
    }, 120_000)
    afterAll(() => tested?.close())

    async function add() {
      const { provider, offer } = tested
      const { bytes, car, content } = await sample()
      const sending: Sending = { origins: (await offer?.(car, content.cid)) ?? [], car, signal }
      return { id: await provider.add(content, sending), bytes, content, sending }
    }
    const until = async (id: string, content: Stored, state: string) => {
      for (let tries = 0; tries < 600; tries++) {
        tested.pass?.()
        const status = await tested.provider.status(id, content, signal)
        if (status.state === state) return status
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`it did not become ${state}`)
    }

    it('stores a content and says so, with an id and a provider', async () => {
      const { id, content } = await add()
      expect(id).not.toBe('')
      const status = await until(id, content, 'stored')
      expect(status.provider).toBeTruthy()
    })

    it('gives blocks back that match the CID; a simulation has none and says so', async () => {
      const { provider } = tested
      const { id, content, bytes } = await add()
      await until(id, content, 'stored')
      if (provider.simulated) {
        expect(provider.readBlock).toBeUndefined()
        await expect(readBack(provider, content, signal)).rejects.toMatchObject({ reason: 'unverified' })
        return
      }
      await readBack(provider, content, signal)
      const parts: Uint8Array[] = []
      for await (const part of bytesFromProvider(provider, content, signal)) parts.push(part)
      expect(Buffer.concat(parts).equals(bytes)).toBe(true)
    })

    it('makes one replica when it is asked again with the same key', async () => {
      const { provider } = tested
      const { id, content, sending } = await add()
      const again = await provider.add(content, sending)
      if (!provider.simulated) expect(again).toBe(id)
      await until(again, content, 'stored')
    })

    it('removes a content, and again without a failure', async () => {
      const { provider } = tested
      const { id, content } = await add()
      await until(id, content, 'stored')
      await provider.remove(id, content, signal)
      if (!provider.simulated) expect((await provider.status(id, content, signal)).state).toBe('failed')
      await provider.remove(id, content, signal)
    })

    it('says that it does not have what it was never given', async () => {
      const { provider } = tested
      const { content } = await sample(1000)
      if (provider.simulated)
        await expect(provider.status('unknown', content, signal)).rejects.toMatchObject({ reason: 'refused' })
      else expect((await provider.status(crypto.randomUUID(), content, signal)).state).toBe('failed')
    })

    it('does not accept a content whose bytes do not arrive', async () => {
      const { provider } = tested
      // Nobody sends bytes to a simulation or to a service that fetches them.
      if (provider.kind !== 'kubo') return
      const { content, car, carSize } = await sample()
      async function* broken(): AsyncIterable<Uint8Array> {
        let sent = 0
        for await (const part of car()) {
          sent += part.length
          if (sent > carSize / 2) return
          yield part
        }
      }
      await expect(provider.add(content, { origins: [], car: broken, signal })).rejects.toMatchObject({
        reason: 'refused',
      })
      expect((await provider.status('', content, signal)).state).toBe('failed')
    })

    it('stops when the server stops', async () => {
      const { provider } = tested
      if (provider.simulated) return
      const { content } = await sample(1000)
      await expect(provider.status('x', content, AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping')
    })
  })
}
