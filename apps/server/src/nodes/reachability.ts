import { randomBytes } from 'node:crypto'
import { type LookupAddress, lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { healthAnswer } from '@tidenet/contract'
import { type Context, now } from '../context.ts'
import { sql } from '../db/sql.ts'
import { timesOf } from '../scheduler/times.ts'
import { isPublicAddress } from './addresses.ts'
import { healthText, isSignedBy } from './signatures.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'config'>

/** Only nodes that the server reaches from outside are offered to browsers. */

const TIMEOUT_MS = 2000
const ANSWER_MAX = 4096
const AT_ONCE = 20

interface Probed {
  id: string
  public_key: string
  url: string
}

/** Tries one node now, as after its registration. */
export async function probeNode(context: Needs, nodeId: string): Promise<void> {
  const node = await context.db.maybe<Probed>(
    sql`update nodes set reachable_at = ${now(context)} where id = ${nodeId} returning id, public_key, url`,
  )
  if (node) await note(context, node)
}

/** Tries the nodes whose turn it is; several servers share them. */
export async function probeDue(context: Needs): Promise<void> {
  const at = context.clock.now()
  const times = timesOf(context.config)
  const due = await context.db.rows<Probed>(sql`
    with due as (
      select id from nodes where status <> 'offline' and (reachable_at is null
        or reachable_at <= case when reachable then ${new Date(at - times.probeReachable)}::timestamptz else ${new Date(at - times.probeUnreachable)}::timestamptz end)
      order by reachable_at nulls first limit 200 for update skip locked
    )
    update nodes n set reachable_at = ${new Date(at)} from due where n.id = due.id returning n.id, n.public_key, n.url`)
  const next = due.values()
  // The workers share one iterator, so each node is tried once.
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, due.length) }, async () => {
      for (const node of next) await note(context, node)
    }),
  )
}

async function note(context: Needs, node: Probed): Promise<void> {
  const reachable = await answers(node, context.config.privateNodes)
  // Unless the node has moved in the meantime.
  await context.db.run(
    sql`update nodes set reachable = ${reachable} where id = ${node.id} and url = ${node.url} and reachable <> ${reachable}`,
  )
}

/** Whether the node itself answers at its address, with its own signature over a nonce. */
export async function answers(node: Probed, privateToo: boolean): Promise<boolean> {
  const nonce = randomBytes(16).toString('base64url')
  try {
    const parsed = healthAnswer.parse(JSON.parse(await fetchSmall(`${node.url}/health?nonce=${nonce}`, privateToo)))
    return parsed.node_id === node.id && isSignedBy(node.public_key, healthText(node.id, nonce), parsed.signature)
  } catch {
    return false
  }
}

/** GET without redirects, at most 4 KiB, at most two seconds, to public addresses unless told otherwise. */
function fetchSmall(address: string, privateToo: boolean): Promise<string> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Sockets do not look up what is an address already.
  if (!privateToo && isIP(host) !== 0 && !isPublicAddress(host)) return Promise.reject(new Error('a private address'))
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { accept: 'application/json' },
        ...(!privateToo && { lookup: lookupPublic }),
      },
      (answer) => {
        if (answer.statusCode !== 200) {
          call.destroy(new Error(`status ${answer.statusCode}`))
          return
        }
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => {
          text += part
          if (text.length > ANSWER_MAX) call.destroy(new Error('too long an answer'))
        })
        answer.on('end', () => resolve(text))
        answer.on('error', reject)
      },
    )
    call.on('error', reject)
    call.end()
  })
}

/** Looks a name up and connects to what was checked: a name that points inside does not get through. */
const lookupPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const addresses = (found ?? []) as LookupAddress[]
    if (error || addresses.length === 0) done(error ?? new Error('no address'), '', 4)
    else if (!addresses.every(({ address }) => isPublicAddress(address))) done(new Error('a private address'), '', 4)
    else if (options.all) done(null, addresses)
    else done(null, (addresses[0] as LookupAddress).address, (addresses[0] as LookupAddress).family)
  })
}
