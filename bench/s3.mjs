// The S3 gateway compared with the SDK: an object of 512 MiB each way, through presigned URLs, and 1,000 objects of 16 KiB; and the memory of
// a gateway that serves 50 downloads at a time.
import { randomBytes } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { createStorage } from '@tidenet/storage'
import { createNetwork } from '@tidenet/testnet'
import aws4 from 'aws4'
import { randomFile, renew, workFolder } from './files.mjs'
import { alternate, MiB, median, report, speedup } from './measure.mjs'
import { person } from './people.mjs'

const SIZE = 512 * MiB
const ROUNDS = 5
const SMALL = 16 * 1024
const SMALL_COUNT = 1000
const STREAMS = 50

const folder = workFolder()
const path = randomFile(join(folder, 'source'), SIZE)
const network = await createNetwork({
  nodes: 3,
  s3: { port: 0 },
  ...(process.env.BENCH_DATA && { data: process.env.BENCH_DATA }),
})
const agent = new http.Agent({ keepAlive: true, maxSockets: 100 })

try {
  const { token } = await person(network)
  const storage = createStorage({ url: network.url, token })
  const made = await storage.api.call('apiKeys.create', { key_name: 's3' })
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = made.data
  const { host } = new URL(network.s3Url)
  const presigned = (method, key) =>
    aws4.sign(
      { service: 's3', region: 'us-east-1', method, host, path: `${key}?X-Amz-Expires=3600`, signQuery: true },
      { accessKeyId, secretAccessKey },
    ).path
  const send = (method, key, body) =>
    new Promise((resolve, reject) => {
      const options = { method, agent, headers: body ? { 'content-length': body.size } : {} }
      const request = http.request(network.s3Url + presigned(method, key), options, (answer) => {
        let bytes = 0
        answer.on('data', (piece) => {
          bytes += piece.length
        })
        answer.on('error', reject)
        answer.on('end', () =>
          answer.statusCode < 300 ? resolve(bytes) : reject(new Error(`HTTP ${answer.statusCode}`)),
        )
      })
      request.on('error', reject)
      if (body) body.stream.pipe(request)
      else request.end()
    })
  const client = new S3Client({
    endpoint: network.s3Url,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
  })
  await send('PUT', '/bench')
  const put = (size) => send('PUT', '/bench/large', { size, stream: createReadStream(path, { highWaterMark: MiB }) })
  const upload = async () => {
    const { code, msg } = await storage.uploadAsset(path)
    if (code !== 0) throw new Error(msg)
  }
  const rate = (ms) => Math.round(512_000 / ms)
  const unit = (ms) => `${rate(ms)} MiB/s`
  const before = () => renew(path)
  const puts = await alternate({ S3: { before, work: put }, SDK: { before, work: upload } }, { rounds: ROUNDS, unit })
  report('put of 512 MiB by S3', {
    measured: rate(median(puts.S3)),
    against: `${rate(median(puts.SDK))} with the SDK`,
    unit: 'MiB/s',
    value: speedup(puts.S3, puts.SDK),
    goal: { atLeast: 0.7 },
  })
  const { cid, size } = (await storage.api.call('s3.find', { bucket: 'bench', key: 'large' })).data
  const get = async () => {
    if ((await send('GET', '/bench/large')) !== size) throw new Error('bytes are missing')
  }
  const download = async () => {
    const { code, msg } = await storage.downloadAsset({ assetCid: cid, to: { path: join(folder, 'back') } })
    if (code !== 0) throw new Error(msg)
  }
  const gets = await alternate({ S3: { work: get }, SDK: { work: download } }, { rounds: ROUNDS, unit })
  report('get of 512 MiB by S3', {
    measured: rate(median(gets.S3)),
    against: `${rate(median(gets.SDK))} with the SDK`,
    unit: 'MiB/s',
    value: speedup(gets.S3, gets.SDK),
    goal: { atLeast: 0.7 },
  })
  let round = 0
  const small = async () => {
    round += 1
    const bodies = Array.from({ length: SMALL_COUNT }, () => randomBytes(SMALL))
    let next = 0
    const began = performance.now()
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let index = next++; index < SMALL_COUNT; index = next++)
          await client.send(
            new PutObjectCommand({ Bucket: 'bench', Key: `small-${round}/${index}`, Body: bodies[index] }),
          )
      }),
    )
    return performance.now() - began
  }
  const times = []
  for (let index = 0; index < 3; index++) times.push(await small())
  report('1,000 objects of 16 KiB by S3', {
    measured: Math.round(median(times)),
    against: 'an absolute bound',
    unit: 'ms',
    value: Math.round(median(times)),
    goal: { below: 10_000 },
  })
  const memory = () =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${network.s3.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, memory())
  }, 20)
  await Promise.all(Array.from({ length: STREAMS }, get))
  clearInterval(watch)
  report(`a gateway with ${STREAMS} streams`, {
    measured: Math.round(most),
    against: 'an absolute bound',
    unit: 'MiB',
    value: Math.round(most),
    goal: { below: 200 },
  })
} finally {
  agent.destroy()
  await network.stop()
}
