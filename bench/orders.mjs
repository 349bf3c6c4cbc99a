// Orders per second from the request to the running workspace, with the real server, chain and database, each in processes of their own;
// clusters are in memory and take no time. The payers share the cores with them, and sign their payments meanwhile. Compared with plain
// transfers of coins between the same wallets on the same chain.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createChainPort, createOperator } from '@tidenet/chain-client'
import { createNetwork } from '@tidenet/testnet'
import { cpuOf, median, pause, percentile, processTree, report, sample, timed } from './measure.mjs'

const PAYERS = 64
/** Orders of a payer in a round. */
const EACH = 16
const ROUNDS = 3
const IDLE_MS = 3000
const BLOCK_MS = 200
/** How often a page asks about its orders. */
const POLL_MS = 500
const RUNNING = 2
const SMALLEST = { cpu: 1, ram: 1, storage: 40, duration: 2 }
const CHAIN_ID = 'tidenet-devnet-1'

const serverPart = fileURLToPath(new URL('part-order-server.mjs', import.meta.url))
const network = await createNetwork({
  nodes: [],
  mode: 'test',
  chain: { blockMs: BLOCK_MS },
  programs: { server: serverPart, node: serverPart, stubs: true },
  env: { TIDENET_LOG_LEVEL: 'error', TIDENET_TRUST_PROXY: '127.0.0.1', TIDENET_CLUSTER_OVERCOMMIT: '100' },
})

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const send = (url, { method = 'GET', body, headers = {} } = {}) =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const call = request(url, {
      method,
      agent,
      headers: { ...(text && { 'content-type': 'application/json' }), ...headers },
    })
    call.on('error', reject)
    call.on('response', (answer) => {
      let got = ''
      answer.setEncoding('utf8')
      answer.on('data', (part) => {
        got += part
      })
      answer.on('end', () => resolve(JSON.parse(got)))
      answer.on('error', reject)
    })
    call.end(text)
  })

/** A call of a payer, each from an address of its own, because calls of one address are limited. */
async function call(path, { token }, body) {
  const headers = { jwtauthorization: `Bearer ${token}`, 'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}` }
  const url = `${network.url}/api/v1/platform/order/${path}`
  const { code, msg, data } = await send(url, { ...(body && { method: 'POST', body }), headers })
  if (code !== 0) throw new Error(`${path}: ${msg}`)
  return data
}

const broadcast = async (bytes) => {
  const params = { tx: Buffer.from(bytes).toString('base64') }
  const body = { jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params }
  const { result, error } = await send(network.chain.url, { method: 'POST', body })
  if (error || result.code !== 0) throw new Error(`broadcast: ${error?.data ?? result.log}`)
  return result.hash
}

const port = createChainPort({ urls: [network.chain.url], chainId: CHAIN_ID })

/** Signs without sending; the next one gets the next sequence. */
function createWallet(privateKey) {
  const recorder = {
    ...port,
    // Signed long before it is sent.
    status: async () => ({ height: 1e6, time: new Date() }),
    broadcast: async () => ({ hash: '', known: false }),
  }
  const { address, submit } = createOperator({
    port: recorder,
    privateKey,
    chainId: CHAIN_ID,
    prefix: 'tide',
    denom: 'utide',
    fees: { of: async () => ({ amount: '500', gas: '990000' }), forget: () => false },
  })
  return {
    address,
    sign: async (messages) => (await submit(messages)).bytes,
  }
}

async function createPayers() {
  const wallets = Array.from({ length: PAYERS }, () => createWallet(randomBytes(32)))
  const operator = createOperator({
    port,
    privateKey: Buffer.from(readFileSync(network.chain.keyFile, 'utf8').trim(), 'hex'),
    chainId: CHAIN_ID,
    prefix: 'tide',
    denom: 'utide',
  })
  await operator.execute([{ coins: wallets.map(({ address }) => ({ to: address, amount: 1_000_000_000n })) }])
  const pay = ({ address: recipient }) => ({
    execute: { contract: network.chain.token, msg: { transfer: { recipient, amount: '100000000' } } },
  })
  for (let from = 0; from < wallets.length; from += 16) await operator.execute(wallets.slice(from, from + 16).map(pay))
  const { control } = await network.server.process.ready
  const tokens = await send(control, { method: 'POST', body: wallets.map(({ address }) => address) })
  return { control, payers: wallets.map((wallet, index) => ({ ...wallet, token: tokens[index] })) }
}

const pids = () => ({
  server: [network.server.process.pid],
  chain: [network.chain.process.pid],
  database: processTree(network.postgres.pid),
})
const cpuNow = () => Object.fromEntries(Object.entries(pids()).map(([name, list]) => [name, cpuOf(list)]))

/** CPU ms per ms of the processes while nobody buys: their background work costs what it costs, however many orders there are. */
async function idle() {
  await pause(1000)
  const before = cpuNow()
  const { ms } = await timed(() => pause(IDLE_MS))
  const after = cpuNow()
  return Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] - before[name]) / ms]))
}

/** All payers buy at the same time, each one order after the other without waiting until it runs. */
async function buy({ control, payers }, background) {
  await send(control)
  const before = cpuNow()
  const { ms, result: latencies } = await timed(async () => (await Promise.all(payers.map(buyAll))).flat())
  const after = cpuNow()
  const count = PAYERS * EACH
  const cpu = Object.fromEntries(
    Object.keys(before).map((name) => [name, (after[name] - before[name] - background[name] * ms) / count]),
  )
  const { statements, transactions, texts } = await send(control)
  return {
    rate: count / (ms / 1000),
    cpu,
    statements: statements / count,
    transactions: transactions / count,
    texts: Object.entries(texts).map(([text, times]) => [times / count, text]),
    latencies,
  }
}

/** Orders and pays, then asks until all orders run. @returns how many ms each order took */
async function buyAll(payer) {
  const waiting = new Map()
  const latencies = []
  for (let each = 0; each < EACH; each++) {
    const started = performance.now()
    const { id } = await call('create', payer, SMALLEST)
    const { order_id, token: contract, execute } = await call('payment', payer, { id })
    const bytes = await payer.sign([{ execute: { contract, msg: JSON.parse(execute) } }])
    await call('hash', payer, { id: order_id, hash: await broadcast(bytes) })
    waiting.set(order_id, started)
  }
  for (;;) {
    for (const { id, status } of (await call(`history?size=${EACH}`, payer)).list) {
      if (status !== RUNNING || !waiting.has(id)) continue
      latencies.push(performance.now() - waiting.get(id))
      waiting.delete(id)
    }
    if (waiting.size === 0) return latencies
    await pause(POLL_MS)
  }
}

/** Plain transfers per second, as many as orders, until the last one is in a block. */
async function transfer({ payers }) {
  const signed = []
  for (const [index, payer] of payers.entries()) {
    const to = payers[(index + 1) % PAYERS].address
    const list = []
    for (let each = 0; each < EACH; each++) list.push(await payer.sign([{ coins: [{ to, amount: 1n }] }]))
    signed.push(list)
  }
  const { ms } = await timed(async () => {
    const last = await Promise.all(
      signed.map(async (list) => {
        let hash
        for (const bytes of list) hash = await broadcast(bytes)
        return hash
      }),
    )
    for (const hash of last) while (!(await port.tx(hash))) await pause(20)
  })
  return (PAYERS * EACH) / (ms / 1000)
}

try {
  const all = await createPayers()
  const bought = []
  const moved = []
  for (let round = 0; round <= ROUNDS; round++) {
    const background = await sample(idle)
    const each = await sample(() => buy(all, background))
    const rate = await sample(() => transfer(all))
    const { server, chain, database } = each.cpu
    console.log(
      `round ${round}: ${each.rate.toFixed(1)} orders/s, ${rate.toFixed(0)} transfers/s; ms of CPU each: server ${server.toFixed(1)}, chain ${chain.toFixed(1)}, database ${database.toFixed(1)}; ${each.statements.toFixed(1)} statements, ${each.transactions.toFixed(1)} transactions`,
    )
    // The first round is for warm-up.
    if (round === 0) continue
    bought.push(each)
    moved.push(rate)
  }
  if (process.env.BENCH_STATEMENTS)
    for (const [times, text] of bought.at(-1).texts.sort(([a], [b]) => b - a))
      if (times >= 0.1) console.log(times.toFixed(2), text)
  const over = (of) => median(bought.map(of))
  const latencies = bought.flatMap((each) => each.latencies)
  const cpu = ['server', 'chain', 'database'].map((name) => over((each) => each.cpu[name]))
  const total = cpu.reduce((sum, ms) => sum + ms, 0)
  report('orders from the request to the running workspace', {
    measured: over(({ rate }) => rate).toFixed(1),
    against: `${median(moved).toFixed(0)} plain transfers/s of the same wallets; ${PAYERS * EACH} orders of ${PAYERS} payers, p50 ${median(latencies).toFixed(0)} and p95 ${percentile(latencies, 95).toFixed(0)} ms`,
    unit: 'orders/s',
    value: median(bought.map(({ rate }, round) => rate / moved[round])),
  })
  report('the same, CPU time of an order in all processes, without their background work', {
    measured: total.toFixed(1),
    against: `server ${cpu[0].toFixed(1)}, chain ${cpu[1].toFixed(1)}, database ${cpu[2].toFixed(1)}; ${over((each) => each.statements).toFixed(0)} statements in ${over((each) => each.transactions).toFixed(1)} transactions`,
    unit: 'ms',
    value: total,
    // Two cores do 60 orders a second.
    goal: { below: 25 },
  })
} finally {
  agent.destroy()
  await network.stop()
}
