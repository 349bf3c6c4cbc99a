import { createHash } from 'node:crypto'
import { seededRandom } from '@tidenet/content/random'
import { createStorage, isSuccess, type Storage } from '@tidenet/storage'
import type { Person } from '../../apps/server/src/test-env.fixture.ts'
import type { World } from './harness.ts'

/** Honest accounts, which use the SDK over HTTP. */
export interface Client extends Person {
  storage: Storage
}

/** A file of an honest account. */
export interface SampleFile {
  cid: string
  size: number
  sha: string
  owner: Client
}

/** How a download ended. */
export interface Fetched {
  ok: boolean
  /** Bytes that are not those of the file. */
  wrong: boolean
  ms: number
  msg: string
}

const KiB = 1024
const shaOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export function createClients(world: Pick<World, 'env' | 'origin' | 'options' | 'files'>) {
  const { env, origin, files } = world
  const refused: string[] = []
  let received = 0

  return {
    /** Uploads that were not accepted. */
    refused,
    /** At most so many bytes arrived in all downloads. */
    get received() {
      return received
    },
    async client(): Promise<Client> {
      const person = await env.person({ vip: true })
      // Unlike sessions, keys last as long as the simulation.
      const token = await env.key(person, 'admin')
      return { ...person, token, storage: createStorage({ token, url: origin, lang: 'en' }) }
    },
    /** Uploads the next file of the seed. */
    async upload(owner: Client): Promise<SampleFile | undefined> {
      const index = files.length + refused.length
      const bytes = sampleBytes(world.options.seed * 100_003 + index)
      const answer = await owner.storage.uploadAsset(new File([bytes], `file-${index}`), { md5: false })
      if (!isSuccess(answer)) {
        refused.push(answer.msg)
        return undefined
      }
      const file = { cid: answer.data.cid, size: bytes.length, sha: shaOf(bytes), owner }
      files.push(file)
      return file
    },
    /** Downloads a file, as its owner or as a visitor of its share. */
    async download(file: SampleFile, as: { storage: Storage } = file.owner, limitMs = 60_000): Promise<Fetched> {
      const started = performance.now()
      // A block that was damaged is read from another node.
      received += 2 * file.size
      const answer = await as.storage.downloadAsset({
        assetCid: file.cid,
        to: 'blob',
        signal: AbortSignal.timeout(limitMs),
        ...(as !== file.owner && { userId: file.owner.uid }),
      })
      const ms = performance.now() - started
      if (!isSuccess(answer)) return { ok: false, wrong: false, ms, msg: `${answer.code} ${answer.msg}` }
      const bytes = new Uint8Array((await answer.data.blob?.arrayBuffer()) ?? new ArrayBuffer(0))
      const wrong = shaOf(bytes) !== file.sha
      return { ok: !wrong, wrong, ms, msg: '' }
    },
  }
}

/** 1 KiB to 1 MiB, mostly small. */
function sampleBytes(seed: number): Uint8Array<ArrayBuffer> {
  const random = seededRandom(seed)
  const size = Math.floor(KiB * 2 ** (10 * random() ** 4))
  const bytes = new Uint8Array(size)
  const words = new Uint32Array(bytes.buffer, 0, size >> 2)
  for (let index = 0; index < words.length; index++) words[index] = random() * 2 ** 32
  return bytes
}
