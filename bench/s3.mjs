// The S3 gateway compared with the SDK: an object of 512 MiB each way, through presigned URLs; with MinIO, and with a server that stores
// nothing: 1,000 objects of 16 KiB by the AWS CLI; and the memory of a gateway that serves 50 downloads at a time.
import { execFile, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { createStorage } from '@tidenet/storage'
import { createNetwork } from '@tidenet/testnet'
import aws4 from 'aws4'
import { ensureAws } from '../tools/s3-clients/install.mjs'
import { randomFile, renew, workFolder } from './files.mjs'
import { alternate, MiB, median, report, speedup } from './measure.mjs'
import { startMinio } from './part-minio.mjs'
import { person, untilAtRest } from './people.mjs'

const SIZE = 512 * MiB
const ROUNDS = 5
const SMALL = 16 * 1024
const SMALL_COUNT = 1000
const STREAMS = 50

const programs = ensureAws()
const folder = workFolder()
const path = randomFile(join(folder, 'source'), SIZE)
const network = await createNetwork({
  nodes: 3,
  s3: { port: 0 },
  // As in production: at the pace of tests, every copy is audited at once.
  env: { TIDENET_PACE: 'usual' },
  ...(process.env.BENCH_DATA && { data: process.env.BENCH_DATA }),
})
const agent = new http.Agent({ keepAlive: true, maxSockets: 100 })
const minio = await startMinio(join(folder, 'minio'))
// A process of its own, as the others are.
const bare = fork(new URL('./part-bare-s3.mjs', import.meta.url))
const [{ port: barePort }] = await once(bare, 'message')

/** Copies a folder; without one, creates the bucket. */
const aws = (endpoint, { accessKeyId, secretAccessKey }, from, to) => {
  const { AWS_CA_BUNDLE: _, ...env } = process.env
  const what = from === undefined ? ['mb', 's3://bench'] : ['cp', '--recursive', '--quiet', from, to]
  return promisify(execFile)(join(programs, 'aws'), ['--endpoint-url', endpoint, 's3', ...what], {
    env: {
      ...env,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_DEFAULT_REGION: 'us-east-1',
    },
  })
}

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
  await send('PUT', '/bench')
  const put = (size) => send('PUT', '/bench/large', { size, stream: createReadStream(path, { highWaterMark: MiB }) })
  const upload = async () => {
    const { code, msg } = await storage.uploadAsset(path)
    if (code !== 0) throw new Error(msg)
  }
  const rate = (ms) => Math.round(512_000 / ms)
  const unit = (ms) => `${rate(ms)} MiB/s`
  const before = async () => {
    await untilAtRest(network)
    return renew(path)
  }
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
  const newFolder = async () => {
    await untilAtRest(network)
    const small = join(folder, `small-${round++}`)
    mkdirSync(small)
    for (let index = 0; index < SMALL_COUNT; index++) writeFileSync(join(small, `${index}`), randomBytes(SMALL))
    return small
  }
  const copyTo = (endpoint, credentials) => (small) =>
    aws(endpoint, credentials, small, `s3://bench/${basename(small)}`)
  await aws(minio.url, minio.credentials)
  const smalls = await alternate(
    {
      S3: { before: newFolder, work: copyTo(network.s3Url, { accessKeyId, secretAccessKey }) },
      MinIO: { before: newFolder, work: copyTo(minio.url, minio.credentials) },
      nothing: { before: newFolder, work: copyTo(`http://127.0.0.1:${barePort}`, minio.credentials) },
    },
    { rounds: ROUNDS },
  )
  report('1,000 objects of 16 KiB by aws s3 cp', {
    measured: Math.round(median(smalls.S3)),
    against: `${Math.round(median(smalls.MinIO))} with MinIO`,
    unit: 'ms',
    value: speedup(smalls.S3, smalls.MinIO),
    goal: { atLeast: 0.67 },
  })
  report('the same to a server that stores nothing', {
    measured: Math.round(median(smalls.nothing)),
    against: `${Math.round(median(smalls.MinIO))} with MinIO`,
    unit: 'ms',
    value: speedup(smalls.nothing, smalls.MinIO),
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
  bare.kill()
  await minio.stop()
  await network.stop()
}
