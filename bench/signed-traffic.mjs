// What it costs to sign what is received: a verified download of 1 GiB with signatures against one without, and the addresses of a download
// with a key against those without. And what the grant of an upload costs, against an authenticated call.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createStorage } from '@tidenet/storage'
import { createNetwork } from '@tidenet/testnet'
import { platform } from '../packages/sdk/dist/platform/platform.node.js'
import { randomFile, workFolder } from './files.mjs'
import { alternate, cpuOf, MiB, median, processTree, report, speedup } from './measure.mjs'
import { person, query } from './people.mjs'

const SIZE = 1024 * MiB
const ROUNDS = 8
const CALLS = 50

const folder = workFolder()
const path = randomFile(join(folder, 'source'), SIZE)
const network = await createNetwork({ nodes: 1 })
try {
  const { token, id } = await person(network)
  // Both with a copy of the platform, so that they differ in nothing but the key.
  const storageWith = (receiptKey) =>
    createStorage({ url: network.url, token }, { platform: { ...platform, receiptKey } })
  const signing = storageWith(platform.receiptKey)
  const plain = storageWith(async () => undefined)
  const uploaded = await storageWith(platform.receiptKey).uploadAsset(path)
  if (uploaded.code !== 0) throw new Error(uploaded.msg)
  rmSync(path)
  const { cid } = uploaded.data

  const to = join(folder, 'target')
  const before = () => rmSync(to, { force: true })
  const cpu = { signed: [], unsigned: [] }
  const download = (storage, kind) => async () => {
    const pids = processTree()
    const used = cpuOf(pids)
    const { code, msg, data } = await storage.downloadAsset({ assetCid: cid, to: { path: to } })
    if (code !== 0 || data.size !== SIZE) throw new Error(`${code} ${msg}`)
    cpu[kind].push(cpuOf(pids) - used)
  }
  const times = await alternate(
    {
      unsigned: { before, work: download(plain, 'unsigned') },
      signed: { before, work: download(signing, 'signed') },
    },
    { rounds: ROUNDS, unit: (ms) => `${Math.round(SIZE / MiB / (ms / 1000))} MiB/s` },
  )
  const sum = (list) => list.reduce((total, each) => total + each, 0)
  const rate = (list) => Math.round(SIZE / MiB / (sum(list) / list.length / 1000))
  for (const list of Object.values(cpu)) list.shift()
  report('verified download of 1 GiB that is signed', {
    measured: rate(times.signed),
    against: `${rate(times.unsigned)} unsigned`,
    unit: 'MiB/s',
    value: sum(times.unsigned) / sum(times.signed),
    goal: { atLeast: 0.97 },
  })
  report('the same, CPU time of client, node and server', {
    measured: Math.round(median(cpu.signed)),
    against: `${Math.round(median(cpu.unsigned))} unsigned`,
    unit: 'ms',
    value: sum(cpu.signed) / sum(cpu.unsigned),
    goal: { below: 1.03 },
  })
  // Nodes report every two seconds.
  let signed
  for (let attempt = 0; attempt < 50 && !(signed > 0); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    ;({ signed } = await query(network, 'select sum(signed)::float8 as signed from usage_hours where user_id = $1', [
      id,
    ]))
  }
  if (!(signed >= SIZE)) throw new Error(`only ${signed} bytes were signed`)

  const headers = { jwtauthorization: `Bearer ${token}` }
  const call = async (address) => {
    const { code, msg } = await (await fetch(network.url + address, { headers })).json()
    if (code !== 0) throw new Error(`${address}: ${msg}`)
  }
  const { publicKey } = await platform.receiptKey()
  const calls = {
    'an authenticated call': () => call('/api/v1/storage/get_vip_info'),
    'addresses of a download': () => call(`/api/v1/storage/share_asset?asset_cid=${cid}`),
    'addresses with a key': () => call(`/api/v1/storage/share_asset?asset_cid=${cid}&receipt_key=${publicKey}`),
    'an upload grant': () => call('/api/v1/storage/get_upload_info?size=1000'),
  }
  const works = Object.entries(calls).map(([name, one]) => [
    name,
    {
      work: async () => {
        for (let each = 0; each < CALLS; each++) await one()
      },
    },
  ])
  const each = await alternate(Object.fromEntries(works), { unit: (ms) => `${(ms / CALLS).toFixed(2)} ms` })
  const ms = (name) => (median(each[name]) / CALLS).toFixed(2)
  const compare = (name, to, goal) =>
    report(`${name}, one after another`, {
      measured: ms(name),
      against: `${ms(to)} of ${to}`,
      unit: 'ms',
      value: 1 / speedup(each[name], each[to]),
      ...(goal && { goal }),
    })
  compare('addresses with a key', 'addresses of a download', { below: 1.05 })
  compare('an upload grant', 'an authenticated call')
} finally {
  await network.stop()
}
