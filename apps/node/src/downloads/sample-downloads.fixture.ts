import { randomBytes } from 'node:crypto'
import { readCar } from '@tidenet/content/car'
import type { DownloadClaims } from '@tidenet/contract'
import { createClock } from '@tidenet/daemon'
import { createTestEnv, randomFile, upload, uploadArchive } from '../test-env.fixture.ts'
import { makeFolder } from '../test-folder.fixture.ts'

export interface DownloadOptions {
  as?: string
  claims?: Partial<DownloadClaims>
  headers?: Record<string, string>
  method?: string
}

/** For tests: a node that stores a file of several leaves, one of a single leaf, and a folder. */
export type SampleDownloads = Awaited<ReturnType<typeof sampleDownloads>>

export async function sampleDownloads() {
  const env = await createTestEnv()
  const clock = createClock()
  const node = await env.start({ clock })
  const [file, small] = [await randomFile(3_000_000), await randomFile(1000)]
  const big = randomBytes(1_500_000)
  const folder = await makeFolder({
    'a b.txt': Buffer.from('hello'),
    docs: { '大.bin': big, 'page.html': Buffer.from('<script>') },
  })
  await upload(env, node, file.bytes)
  await upload(env, node, small.bytes)
  await uploadArchive(env, node, folder)
  return {
    env,
    clock,
    node,
    file,
    small,
    folder,
    /** The bytes of `docs/大.bin` in the folder. */
    big,
    /** Requests with a token for `as`, by default the file. */
    async get(path: string, { as = file.cid, claims, headers, method = 'GET' }: DownloadOptions = {}) {
      const token = await env.server.downloadToken(node.id, as, claims)
      return fetch(node.url + path, {
        method,
        redirect: 'manual',
        headers: { authorization: `Bearer ${token}`, ...headers },
      })
    },
  }
}

export const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

export async function* once(bytes: Uint8Array) {
  yield bytes
}

export async function blocksOf(answer: Response) {
  const reading = readCar(once(await bytesOf(answer)))
  const blocks = []
  for await (const block of reading.blocks) blocks.push(block)
  return { roots: (await reading.roots).map(String), blocks, cids: blocks.map((block) => block.cid.toString()) }
}
