import { readdir } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { features } from '../../apps/server/src/features.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { type Handler, type HostileNode, hostileNode } from '../attacks/hostile-node.ts'
import { createClients, type SampleFile } from './clients.ts'
import type { Bend } from './gate.ts'
import { type RealNode, realNode } from './honest.ts'
import { createMeasures } from './measures.ts'

/** A whole network in this process: a real server on a port, real nodes, attackers, and clients, with one clock that only the driver moves. */

/** An attack. Each file in `attacks` exports one as its default. */
export interface Attack {
  name: string
  /** All nodes are in one network, IPv4 /24. */
  oneNetwork?: boolean
  area?: string
  /** How many nodes it has for each node of another attack; default 1. */
  weight?: number
  /** Its answers take longer than a step of the simulation. */
  slow?: boolean
  /** The server must notice its nodes, because they fail readers: within days, or within weeks. */
  noticeable?: 'soon' | 'late'
  /** The plan of the attacker's account; default: a free one. */
  plan?: { vip: boolean; downloadQuota: number }
  /** With it, the attacker's nodes run the real software, and the attacker changes what they send. */
  bend?(attacker: Attacker): Bend
  /** Otherwise the nodes are made up: they answer requests with this, and have no contents. */
  serves?(attacker: Attacker): Handler
  /** Once per simulated step. */
  step?(attacker: Attacker, world: World): Promise<void>
  /** What the attack must not gain, by name; every number must be 0. */
  gains?(attacker: Attacker, world: World): Promise<Record<string, number>>
}

/** One node of an attack, and an account of the attacker. */
export interface Attacker {
  attack: Attack
  id: string
  address: string
  account: Person
  /** Simulated days since the start. */
  day: number
  /** A node that runs the real software. */
  real?: RealNode
  /** A made-up node. */
  made?: HostileNode
  /** Simulated time, ms since the start, when the server first treated the node as one that fails, and how. */
  noticed?: { at: number; by: string }
  /** What the attack wants to remember. */
  notes: Map<string, unknown>
}

export interface WorldOptions {
  seed: number
  candidates: number
  validators: number
  edges: number
  attacks: readonly Attack[]
  /** How many nodes the attacks have together. */
  attackers: number
  files: number
}

export interface World {
  env: TestEnv
  origin: string
  options: WorldOptions
  honest: RealNode[]
  attackers: Attacker[]
  files: SampleFile[]
  /** Simulated time since the start, ms. */
  readonly elapsed: number
  clients: ReturnType<typeof createClients>
  measures: ReturnType<typeof createMeasures>
  /**
   * Lets time pass, and everything happen that nodes, server and attackers do meanwhile.
   * @param rounds how often nodes are audited
   * @param patience real time until audits of slow nodes end, ms
   */
  step(ms: number, rounds: number, patience?: number): Promise<void>
  closeHours(): Promise<void>
  close(): Promise<void>
}

export const HOUR = 3600_000
export const DAY = 24 * HOUR
/** Real time until the nodes have done their work. */
const SETTLE_MS = 6000
/** Real time until the server has made its audits of nodes that are not slow. */
const OWN_AUDITS_MS = 1000
/** A failed audit is confirmed by a second one, and a node that fails twice is noticed. */
const PATIENT_ROUNDS = 5
/** Real time after which work without progress is left for later. */
const STILL_MS = 2000
const BEATS = 16

/** All attacks of the folder. */
export async function loadAttacks(): Promise<Attack[]> {
  const names = (await readdir(new URL('attacks/', import.meta.url))).filter((name) => name.endsWith('.ts')).sort()
  return Promise.all(
    names.map(
      async (name) =>
        ((await import(/* @vite-ignore */ new URL(`attacks/${name}`, import.meta.url).href)) as { default: Attack })
          .default,
    ),
  )
}

/** Starts a network. Without attacks it has the honest nodes only. */
export async function openWorld(options: WorldOptions): Promise<World> {
  // In production, what a node says about its area counts for nothing.
  const env = await setup({ environment: 'production', pace: 'usual', wrongPasswordsPerNetwork: 1e6 })
  await env.app.listen({ host: '127.0.0.1', port: 0 })
  const address = env.app.server.address()
  if (typeof address !== 'object' || !address) throw new Error('the server does not listen')
  const origin = `http://127.0.0.1:${address.port}`

  let networks = 0
  const newNetwork = () => {
    networks += 1
    return `127.${10 + (networks >> 8)}.${networks & 255}.1`
  }
  const kinds = [
    ...Array<'candidate'>(options.candidates).fill('candidate'),
    ...Array<'validator'>(options.validators).fill('validator'),
    ...Array<'edge'>(options.edges).fill('edge'),
  ]
  const honest = await Promise.all(kinds.map((kind) => realNode(env, origin, { kind, address: newNetwork() })))
  const owner = await env.person()
  await env.db.run(sql`update nodes set owner_id = ${owner.id} where kind <> 'edge'`)
  const attackers = options.attacks.length > 0 ? await openAttackers(env, origin, options, newNetwork) : []

  const start = env.clock.now()
  const files: SampleFile[] = []
  const parts = {
    env,
    origin,
    options,
    honest,
    attackers,
    files,
    get elapsed() {
      return env.clock.now() - start
    },
  }
  const measures = createMeasures(parts)

  const real = [...honest, ...attackers.flatMap(({ real }) => real ?? [])]

  /** Every node sends a heartbeat; made-up nodes get their work and ignore it. */
  async function beat() {
    await inTurns([
      ...real.map((node) => () => node.beat()),
      ...attackers.flatMap(({ made }) => (made ? [() => beatOf(made)] : [])),
    ])
  }
  /** Nodes work until honest nodes have done all of theirs, or wait for others. */
  async function settle(limitMs = SETTLE_MS) {
    const ids = honest.map(({ id }) => id)
    const slow = limitMs > SETTLE_MS ? [] : attackers.filter(({ attack }) => attack.slow).map(({ id }) => id)
    const until = performance.now() + limitMs
    let last = { work: '', at: performance.now() }
    while (performance.now() < until) {
      const rows = await env.db.rows<{ id: string; due: number; all: number }>(sql`
        select node_id as id, count(*) filter (where state <> 'pulling')::int as due, count(*)::int as all from replicas
        where state in ('wanted', 'pulling', 'removed') and retry_at is null group by node_id
        union all
        select validator_id, count(*) filter (where assigned_at is null)::int, count(*)::int from audits
        where state = 'open' and validator_id <> 'server' and not (node_id = any(${slow})) group by validator_id`)
      const open = rows.filter(({ id }) => ids.includes(id))
      if (open.length === 0) return
      const work = JSON.stringify(open)
      if (work !== last.work) last = { work, at: performance.now() }
      else if (limitMs === SETTLE_MS && performance.now() - last.at > STILL_MS) return
      const due = new Set(rows.filter((row) => row.due > 0).map(({ id }) => id))
      await inTurns(real.filter(({ id }) => due.has(id)).map((node) => () => node.beat()))
      await wait(20)
    }
  }

  /** The server's audits of slow nodes take longer than a step; they go on meanwhile. */
  let auditing: Promise<void> | undefined
  async function ownAudits(limitMs = OWN_AUDITS_MS) {
    auditing ??= runTasks(env, 'own-audits').finally(() => {
      auditing = undefined
    })
    await Promise.race([auditing, wait(limitMs)])
  }

  const world: World = {
    ...parts,
    get elapsed() {
      return parts.elapsed
    },
    clients: createClients(parts),
    measures,
    async step(ms, rounds, patience) {
      const part = Math.floor(ms / (rounds + 1))
      env.pass(part)
      // Their sessions last a day, and a step is shorter.
      await inTurns(attackers.flatMap(({ made }) => (made ? [() => made.register()] : [])))
      await beat()
      await runTasks(env, 'probe', 'watch', 'standing')
      await measures.noteAbsent()
      for (const attacker of attackers) {
        attacker.day = parts.elapsed / DAY
        await attacker.attack.step?.(attacker, world)
      }
      await runTasks(env, 'place')
      await settle()
      for (let round = 0; round < rounds; round++) {
        env.pass(part)
        await beat()
        const limitMs = round < PATIENT_ROUNDS ? patience : undefined
        await runTasks(env, 'watch', 'audit')
        await measures.noteAbsent()
        await ownAudits(limitMs)
        await runTasks(env, 'standing', 'place')
        await settle(limitMs)
        await measures.note()
      }
      await runTasks(env, 'gone-edges', 'download-receipts', 'close-hours')
    },
    /** Ends the current hour, so that all that happened is paid. */
    async closeHours() {
      env.pass(HOUR + 6 * 60_000)
      await env.db.run(sql`update nodes set seen_at = ${new Date(env.clock.now())} where status <> 'offline'`)
      await runTasks(env, 'download-receipts', 'close-hours', 'append-receipts')
    },
    async close() {
      await Promise.all([
        ...honest.map((node) => node.stop()),
        ...attackers.map(({ real, made }) => real?.stop() ?? made?.close()),
      ])
      await auditing
      await env.close()
    },
  }
  // The server knows who is reachable, and operators where honest nodes are.
  // A step takes hours, and its heartbeat stands for all of them.
  await env.db.run(sql`alter table nodes disable trigger node_presence_gap`)
  await env.db.run(sql`
    update nodes set assigned_area = declared_area where id = any(${honest.map(({ id }) => id)})`)
  await beat()
  await runTasks(env, 'probe')
  return world
}

async function openAttackers(
  env: TestEnv,
  server: string,
  { attacks, attackers: count }: WorldOptions,
  newNetwork: () => string,
): Promise<Attacker[]> {
  const attackers: Attacker[] = []
  const turns = attacks.flatMap((attack) => Array<Attack>(attack.weight ?? 1).fill(attack))
  // Every attack has a node.
  for (let index = 0; index < Math.max(count, turns.length); index++) {
    const attack = turns[index % turns.length] as Attack
    const address = attack.oneNetwork ? `127.9.9.${index + 1}` : newNetwork()
    const person = await env.person(attack.plan)
    // Unlike sessions, keys last as long as the simulation.
    const account = { ...person, token: await env.key(person, 'admin') }
    const attacker: Attacker = { attack, id: '', address, account, day: 0, notes: new Map() }
    const area = attack.area
    if (attack.bend) {
      attacker.real = await realNode(env, server, {
        kind: 'edge',
        address,
        bend: attack.bend(attacker),
        ...(area && { area }),
      })
      attacker.id = attacker.real.id
    } else {
      attacker.made = await hostileNode(
        { origin: server, clock: env.clock },
        { address, ...(area && { area_id: area }) },
      )
      attacker.id = attacker.made.id
      await attacker.made.listen(attack.serves?.(attacker))
    }
    // Another account of the attacker, because an own node earns nothing from the account's downloads.
    const payee = await env.person()
    // One that colludes was vetted before: only then can it earn, also in a short simulation.
    const vettedAt = attack.plan ? new Date(env.clock.now()) : null
    await env.db.run(sql`update nodes set owner_id = ${payee.id}, vetted_at = ${vettedAt} where id = ${attacker.id}`)
    attackers.push(attacker)
  }
  return attackers
}

/** More heartbeats at a time would make the server wait longer for further ones. */
async function inTurns(beats: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (let at = 0; at < beats.length; at += BEATS) await Promise.all(beats.slice(at, at + BEATS).map((each) => each()))
}

async function beatOf(made: HostileNode): Promise<void> {
  const boast = { capacity: 1e15, free: 1e15, load: 0, send_rate: 1e12, receive_rate: 1e12 }
  await made.heartbeat({ stats: boast })
}

/** Runs tasks of the server once. */
async function runTasks(env: TestEnv, ...names: string[]): Promise<void> {
  const signal = new AbortController().signal
  const tasks = features.flatMap(({ tasks = [] }) => tasks)
  for (const name of names) await tasks.find((task) => task.name === name)?.run(env.context, signal)
}
