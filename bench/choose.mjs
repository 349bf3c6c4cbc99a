// How long the scheduler's choices take among many nodes, in ms (median of 101). Needs a build: npx tsc -b apps/server
import { chooseReplicaNodes, chooseUploadNodes, orderSources } from '../apps/server/dist/scheduler/choose.js'

const COUNT = Number(process.argv[2] ?? 10_000)
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
  quality: Math.random(),
}))
const holders = nodes.slice(0, 25).map(({ id }) => ({ node_id: id, state: 'stored', tries: 0, doubted: false }))
const random = Math.random

const measured = {
  upload: () => chooseUploadNodes(nodes, { areas: [], size: 1e6, count: 5, random }),
  'upload in an area': () => chooseUploadNodes(nodes, { areas: ['Japan'], size: 1e6, count: 5, random }),
  replicas: () => chooseReplicaNodes({ size: 1e6, areas: [] }, holders, nodes, { target: 50, random }),
  sources: () => orderSources(nodes, 20),
}
for (const [name, run] of Object.entries(measured)) {
  const times = Array.from({ length: 101 }, () => {
    const started = performance.now()
    run()
    return performance.now() - started
  }).sort((a, b) => a - b)
  console.log(`${name.padEnd(20)} ${COUNT} nodes: ${times[50].toFixed(2)} ms, at most ${times[100].toFixed(2)} ms`)
}
