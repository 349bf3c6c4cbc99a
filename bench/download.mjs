// One file of 512 MiB from one node, in one connection and in ten ranges, against nginx serving the same file from the same
// page cache; and the verified download of the SDK to the disk.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createStorage } from '@tidenet/storage'
import { createNetwork } from '@tidenet/testnet'
import { randomFile, workFolder } from './files.mjs'
import { alternate, drain, MiB, median, ranges, report, speedup } from './measure.mjs'
import { startNginx } from './part-nginx.mjs'
import { person } from './people.mjs'

const SIZE = 512 * MiB
const ROUNDS = 7

const folder = workFolder()
const path = randomFile(join(folder, 'source'), SIZE)
const nginx = await startNginx(path)
const network = await createNetwork({ nodes: 1 })
/** The usual download program; it was also used to measure the physical limits. */
const curl = async (from) => {
  const [code] = await once(spawn('curl', ['-sf', '-o', '/dev/null', from], { stdio: 'ignore' }), 'close')
  if (code !== 0) throw new Error(`curl ended with ${code}`)
}
const rate = (ms) => 512_000 / ms

try {
  const { token } = await person(network)
  const storage = createStorage({ url: network.url, token })
  const uploaded = await storage.uploadAsset(path)
  if (uploaded.code !== 0) throw new Error(uploaded.msg)
  const { cid, url } = uploaded.data
  const direct = `${nginx.url}/${basename(path)}`

  const whole = async (from) => {
    if ((await drain(from)) !== SIZE) throw new Error('bytes are missing')
  }
  const inTen = async (from) => {
    const parts = await Promise.all(ranges(SIZE, 10).map((headers) => drain(from, { headers })))
    if (parts.reduce((total, part) => total + part, 0) !== SIZE) throw new Error('bytes are missing')
  }
  const target = join(folder, 'target')
  const verified = async () => {
    const { code, msg, data } = await storage.downloadAsset({ assetCid: cid, to: { path: target } })
    if (code !== 0 || data.size !== SIZE) throw new Error(`${code} ${msg}`)
  }
  const times = await alternate(
    {
      nginx: { work: () => whole(direct) },
      node: { work: () => whole(url) },
      'nginx, ten ranges': { work: () => inTen(direct) },
      'node, ten ranges': { work: () => inTen(url) },
      'nginx, by curl': { work: () => curl(direct) },
      'SDK to disk': { before: () => rmSync(target, { force: true }), work: verified },
    },
    { rounds: ROUNDS, unit: (ms) => `${Math.round(rate(ms))} MiB/s` },
  )
  const one = (name, ours, theirs, what, atLeast) =>
    report(name, {
      measured: Math.round(rate(median(times[ours]))),
      against: `${Math.round(rate(median(times[theirs])))} of nginx${what}`,
      unit: 'MiB/s',
      value: speedup(times[ours], times[theirs]),
      ...(atLeast && { goal: { atLeast } }),
    })
  one('download of 512 MiB, one connection', 'node', 'nginx', '', 0.8)
  one('download of 512 MiB, ten ranges', 'node, ten ranges', 'nginx, ten ranges', '', 0.8)
  one('verified download to disk', 'SDK to disk', 'nginx, by curl', ' to curl, one connection, not written', 0.35)
  one(
    'verified download to disk, against a bare socket',
    'SDK to disk',
    'nginx',
    ' to a socket that drops what it reads',
  )
} finally {
  nginx.stop()
  await network.stop()
}
