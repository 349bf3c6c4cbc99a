// CPU time of one server for 1,000 open conversations with 100 messages a second, half of them answers of agents. Every message must reach
// its customer and the desk, once and in order.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createNetwork } from '@tidenet/testnet'
import { cpuOf, pause, percentile, processTree, report } from './measure.mjs'
import { person, query } from './people.mjs'

const CUSTOMERS = 1000
const AGENTS = 5
const PER_SECOND = 100
const SECONDS = 30
/** At this many customers at once, conversations begin. */
const AT_ONCE = 20

const network = await createNetwork({ nodes: 0, mode: 'development' })
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

/** Each customer has an address of its own, because calls and streams of one address are limited. */
const addressOf = (index) => `127.1.${index >> 8}.${index & 255}`

function call(method, path, { body, headers = {}, from = 0, onData } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${network.url}${path}`,
      {
        method,
        agent: onData ? undefined : agent,
        localAddress: addressOf(from),
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      },
      (answer) => {
        answer.setEncoding('utf8')
        if (onData) {
          if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`))
          answer.on('data', onData).on('error', () => {})
          resolve(sent)
          return
        }
        let text = ''
        answer.on('data', (part) => {
          text += part
        })
        answer.on('end', () => {
          const { code, msg, data } = JSON.parse(text)
          if (code === 0) resolve(data)
          else reject(new Error(`${path}: ${msg}`))
        })
      },
    )
    sent.on('error', reject).end(body && JSON.stringify(body))
  })
}

/** Calls back with each message of a stream. */
function onMessages(take) {
  let rest = ''
  return (text) => {
    const parts = (rest + text).split('\n\n')
    rest = parts.pop()
    for (const part of parts)
      if (part.startsWith('event: message\n')) take(JSON.parse(part.slice(part.indexOf('data: ') + 6)))
  }
}

async function inParallel(list, work) {
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < list.length) await work(list[next++])
    }),
  )
}

/** When messages were sent and how long they took to the other side, ms. */
const sentAt = new Map()
const delays = []
const arrived = (id) => {
  const at = sentAt.get(id)
  if (at !== undefined) delays.push(performance.now() - at)
}
let wrong = 0
const inOrder = (last, seq) => {
  if (seq !== last + 1) wrong += 1
  return seq
}

const streams = []
try {
  const { token, username } = await person(network)
  await query(network, `update users set role = 'operator' where email = $1`, [username])
  await pause(1000)
  const operator = { jwtauthorization: `Bearer ${token}` }
  const atDesk = new Map()
  let deskMessages = 0
  for (let index = 0; index < AGENTS; index++)
    streams.push(
      await call('GET', '/api/v1/admin/chat/events', {
        headers: operator,
        from: CUSTOMERS + index,
        onData: onMessages(({ conversation, seq, id, from_type }) => {
          if (index > 0) return
          deskMessages += 1
          atDesk.set(conversation, inOrder(atDesk.get(conversation) ?? 0, seq))
          if (from_type === 'user') arrived(id)
        }),
      }),
    )

  const customers = Array.from({ length: CUSTOMERS }, (_, index) => ({ index, last: 0, received: 0 }))
  await inParallel(customers, async (customer) => {
    const { index: from } = customer
    customer.visitor = (await call('POST', '/api/v1/chat/start', { body: {}, from })).visitor
    await customerSends(customer)
    streams.push(
      await call('POST', '/api/v1/chat/events', {
        body: { visitor: customer.visitor },
        from,
        onData: onMessages(({ seq, id, from_type }) => {
          customer.received += 1
          customer.last = inOrder(customer.last, seq)
          if (from_type === 'agent') arrived(id)
        }),
      }),
    )
  })
  function customerSends({ visitor, index: from }) {
    const id = randomUUID()
    sentAt.set(id, performance.now())
    return call('POST', '/api/v1/chat/send', { body: { visitor, id, text: 'Where is my file? '.repeat(5) }, from })
  }
  let after = ''
  const conversations = []
  while (after !== null) {
    const page = await call('GET', `/api/v1/admin/chat/list?list=all&size=200&after=${after}`, { headers: operator })
    conversations.push(...page.list.map(({ id }) => id))
    after = page.next
  }
  function agentSends(id) {
    const messageId = randomUUID()
    sentAt.set(messageId, performance.now())
    const body = { id, message_id: messageId, text: 'It is in your folder. '.repeat(5) }
    return call('POST', '/api/v1/admin/chat/send', { body, headers: operator, from: CUSTOMERS + (id % AGENTS) })
  }

  const server = network.server.process.pid
  const isPostgres = (pid) => /^postgres/.test(readFileSync(`/proc/${pid}/comm`, 'utf8'))
  const database = () => cpuOf(processTree().filter(isPostgres))
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server}/status`, 'utf8'))[1]) / 1024
  await pause(3000)
  const idle = cpuOf([server])
  await pause(5000)
  const idleShare = (cpuOf([server]) - idle) / 5000

  const before = { server: cpuOf([server]), database: database(), memory: memory() }
  sentAt.clear()
  delays.length = 0
  const open = []
  const began = performance.now()
  for (let count = 0; count < PER_SECOND * SECONDS; count++) {
    const due = began + (count * 1000) / PER_SECOND
    if (due > performance.now()) await pause(due - performance.now())
    open.push(
      count % 2 ? agentSends(conversations[count % conversations.length]) : customerSends(customers[count % CUSTOMERS]),
    )
  }
  await Promise.all(open)
  const took = performance.now() - began
  const share = (cpuOf([server]) - before.server) / took
  const ofDatabase = (database() - before.database) / took
  await pause(2000)

  const total = CUSTOMERS + PER_SECOND * SECONDS
  const received = customers.reduce((sum, customer) => sum + customer.received, 0)
  if (wrong > 0 || received !== total || deskMessages !== total)
    throw new Error(`${total} messages: customers got ${received}, the desk ${deskMessages}, ${wrong} out of order`)
  console.log(
    `${PER_SECOND * SECONDS} messages in ${(took / 1000).toFixed(1)} s, to the other side in ${percentile(delays, 50).toFixed(0)} ms, 95 %: ${percentile(delays, 95).toFixed(0)} ms; ` +
      `idle ${(idleShare * 100).toFixed(1)} % of a core; memory ${before.memory.toFixed(0)} MiB, then ${memory().toFixed(0)} MiB`,
  )
  report('1,000 conversations with 100 messages a second', {
    measured: (share * 100).toFixed(1),
    against: `one core; PostgreSQL ${(ofDatabase * 100).toFixed(1)} % more`,
    unit: '%',
    value: share,
    goal: { below: 0.4 },
  })
} finally {
  for (const stream of streams) stream.destroy()
  agent.destroy()
  await network.stop()
}
