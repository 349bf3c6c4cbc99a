// Upload of a file of 512 MiB with the SDK, until the receipt, compared with a bare POST that writes the same bytes to the same disk
// and syncs them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createStorage } from '@tidenet/storage'
import { createNetwork } from '@tidenet/testnet'
import { randomFile, renew, workFolder } from './files.mjs'
import { alternate, MiB, median, report, speedup } from './measure.mjs'
import { person } from './people.mjs'

const SIZE = 512 * MiB
const ROUNDS = 5

const folder = workFolder()
const path = randomFile(join(folder, 'source'), SIZE)
const bare = spawn(process.execPath, [fileURLToPath(new URL('part-bare-post.mjs', import.meta.url)), folder], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [bareUrl] = await once(bare.stdout, 'data').then(([chunk]) => [chunk.toString().trim()])
const network = await createNetwork({ nodes: 1 })

const post = (size) =>
  new Promise((resolve, reject) => {
    const request = http.request(bareUrl, { method: 'POST', headers: { 'content-length': size } }, (response) => {
      response.setEncoding('utf8').on('data', (text) => {
        if (JSON.parse(text).size === size) resolve()
        else reject(new Error(text))
      })
    })
    request.on('error', reject)
    createReadStream(path, { highWaterMark: MiB }).pipe(request)
  })

try {
  const { token } = await person(network)
  const storage = createStorage({ url: network.url, token })
  const upload = async () => {
    const { code, msg, data } = await storage.uploadAsset(path)
    if (code !== 0 || data.isFastUpload) throw new Error(`${code} ${msg} ${JSON.stringify(data)}`)
  }
  const rate = (ms) => 512_000 / ms
  const before = () => renew(path)
  const times = await alternate(
    { 'bare POST': { before, work: post }, SDK: { before, work: upload } },
    { rounds: ROUNDS, unit: (ms) => `${Math.round(rate(ms))} MiB/s` },
  )
  report('upload of 512 MiB', {
    measured: Math.round(rate(median(times.SDK))),
    against: `${Math.round(rate(median(times['bare POST'])))} of a bare POST to a synced file`,
    unit: 'MiB/s',
    value: speedup(times.SDK, times['bare POST']),
    goal: { atLeast: 0.7 },
  })
} finally {
  bare.kill()
  await network.stop()
}
