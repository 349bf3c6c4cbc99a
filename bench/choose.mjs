// The scheduler's decisions among 10,000 nodes, and get_upload_info on a server with 10,000 nodes.
import { createNetwork } from '@tidenet/testnet'
import { chooseUploadNodes } from '../apps/server/dist/network/placement/choose.js'
import { chooseReplicaNodes } from '../apps/server/dist/network/placement/choose-replicas.js'
import { orderSources } from '../apps/server/dist/network/placement/choose-sources.js'
import { pause, percentile, report, sample, timed } from './measure.mjs'
import { addNodes, person } from './people.mjs'

const COUNT = 10_000
const countries = ['Germany', 'Japan', 'France', 'Singapore', 'Brazil', 'Kenya', 'Canada', 'India']
const nodes = Array.from({ length: COUNT }, (_, index) => ({
  id: `n${index}`,
  kind: index % 10 === 0 ? 'candidate' : 'edge',
  country: countries[index % countries.length],
  capacity: 1e12,
  free: 1e12 * Math.random(),
  load: Math.random(),
  send_rate: 1e8 * Math.random(),
  receive_rate: 1e8 * Math.random(),
  status: index % 50 === 0 ? 'offline' : 'online',
  reachable: index % 3 !== 0,
  counts: index % 3 !== 0,
  quality: Math.random(),
  rate: 1e8 * Math.random(),
  audit_share: 1 - 0.1 * Math.random(),
  vetted: index % 2 === 0,
  draining: index % 100 === 7,
  network: `10.${(index % 5000) >> 8}.${(index % 5000) & 255}.0/24`,
  owner: `${index % 3000}`,
}))
const holders = nodes.slice(0, 25).map(({ id }) => ({ node_id: id, state: 'stored', tries: 0, suspect: false }))
const random = Math.random

const decisions = {
  'upload nodes': () => chooseUploadNodes(nodes, { areas: [], size: 1e6, count: 5, random }),
  'upload nodes of an area': () => chooseUploadNodes(nodes, { areas: ['Japan'], size: 1e6, count: 5, random }),
  'nodes for 50 replicas': () => chooseReplicaNodes({ size: 1e6, areas: [] }, holders, nodes, { target: 50, random }),
  sources: () => orderSources(nodes, { count: 20, random }),
}
for (const [name, decide] of Object.entries(decisions)) {
  const times = await sample(async () => {
    const list = []
    // CPU time, so that other processes on the core do not count.
    for (let turn = 0; turn < 220; turn++) {
      const before = process.cpuUsage()
      decide()
      const { user, system } = process.cpuUsage(before)
      list.push((user + system) / 1000)
    }
    // Skip the first ones, which include JIT compilation.
    return list.slice(20)
  })
  report(`choosing ${name} among 10,000, p99 of CPU time`, {
    measured: percentile(times, 99).toFixed(2),
    against: 'an absolute bound',
    unit: 'ms',
    value: percentile(times, 99),
    goal: { below: 5 },
  })
}

const network = await createNetwork({ nodes: 1, mode: 'development' })
try {
  const { token } = await person(network)
  const ask = async () => {
    const answer = await fetch(`${network.url}/api/v1/storage/get_upload_info?t=1&need_trace=true&size=1000000`, {
      headers: { jwtauthorization: `Bearer ${token}` },
    })
    const { code, data } = await answer.json()
    if (code !== 0 || data.List.length === 0) throw new Error(`code ${code}`)
  }
  const asked = async () => {
    const list = []
    for (let turn = 0; turn < 200; turn++) list.push((await timed(ask)).ms)
    return list
  }
  // Wait until the server has tested that its node is reachable.
  for (let attempt = 0; attempt < 50; attempt++) {
    const ready = await ask().then(
      () => true,
      () => false,
    )
    if (ready) break
    await pause(200)
  }
  await asked()
  const few = await sample(asked)
  await addNodes(network, COUNT)
  await asked()
  const many = await sample(asked)
  for (const p of [50, 99])
    console.log(
      `get_upload_info, p${p}: ${percentile(many, p).toFixed(1)} ms with 10,000 nodes, ${percentile(few, p).toFixed(1)} ms with one`,
    )
} finally {
  await network.stop()
}
