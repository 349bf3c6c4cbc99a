import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR, loadAttacks, openWorld, seeded, type World } from './harness.ts'
import { gainsOf } from './measures.ts'
import { pending } from './pending.ts'

/** A network in which most edges are hostile, next to one with the same files in which all are honest. */

const LONG = Boolean(process.env.TIDENET_TEST_LONG)
const SCALE = LONG
  ? {
      candidates: 5,
      validators: 2,
      edges: 16,
      attackers: 24,
      files: 500,
      days: 30,
      stepMs: 20 * HOUR,
      rounds: 8,
      reads: 10,
    }
  : {
      candidates: 3,
      validators: 1,
      edges: 2,
      attackers: 24,
      files: 24,
      days: 3,
      stepMs: 12 * HOUR,
      rounds: 2,
      reads: 3,
    }
const SEED = 20_260
/** In the honest network nothing happens between two of its longer steps. */
const PEACEFUL = LONG ? { stepMs: 3 * DAY, rounds: 3 } : { stepMs: SCALE.stepMs, rounds: SCALE.rounds }
/** The part of the time in which files are uploaded. */
const UPLOADING = 0.75
/** The step in which audits of slow nodes may end, and how long that takes at most. */
const PATIENT = { step: 12, ms: 60_000 }

let hostile: World
let peaceful: World
/** What must be 0. */
const results: Record<string, number> = {}
/** Files that took more than twice the time of the honest network. */
const slow: { size: number; hostile: number; peaceful: number }[] = []
const started = performance.now()
const report = (text: string) => console.log(`${Math.round((performance.now() - started) / 1000)} s: ${text}`)

beforeAll(async () => {
  const attacks = await loadAttacks()
  const options = { seed: SEED, ...SCALE }
  const honest = { ...options, ...PEACEFUL, attacks: [] }
  ;[hostile, peaceful] = await Promise.all([openWorld({ ...options, attacks }), openWorld(honest)])
  report('both networks run')
  // The large ones one after the other, because a process that does too much at once makes downloads fail.
  if (LONG) {
    await live(hostile, SCALE.stepMs)
    await live(peaceful, PEACEFUL.stepMs)
  } else await Promise.all([live(hostile, SCALE.stepMs), live(peaceful, PEACEFUL.stepMs)])
  report('the time is over')
  await readAll()
  Object.assign(results, await gainsOf(hostile, LONG))
}, 3_600_000)
afterAll(async () => {
  await Promise.all([hostile?.close(), peaceful?.close()])
})

/** All simulated days: files are uploaded and read while attackers attack. */
async function live(world: World, stepMs: number): Promise<void> {
  const random = seeded(SEED)
  const owners = await Promise.all(Array.from({ length: 4 }, () => world.clients.client()))
  const steps = Math.round((SCALE.days * DAY) / stepMs)
  let uploaded = 0
  for (let step = 1; step <= steps; step++) {
    const due = Math.min(SCALE.files, Math.ceil((SCALE.files * step) / (UPLOADING * steps)))
    for (; uploaded < due; uploaded++) {
      const owner = owners[uploaded % owners.length]
      if (owner) await world.clients.upload(owner)
    }
    const isPatient = LONG && world === hostile && step === PATIENT.step
    await world.step(stepMs, isPatient ? PATIENT.ms : undefined)
    for (let time = 0; time < SCALE.reads; time++) {
      const file = world.files[Math.floor(random() * world.files.length)]
      if (file) await read(world, file)
    }
    if (LONG && step % 3 === 0) await tell(world, step)
  }
}

async function tell(world: World, step: number): Promise<void> {
  const { honest, hostile } = await world.measures.vetted()
  const copies = await world.measures.counted()
  const kind = world.attackers.length > 0 ? 'hostile' : 'peaceful'
  report(`${kind}, step ${step}: vetted ${honest} and ${hostile}, copies ${copies.honest} and ${copies.hostile}`)
}

const count = (name: string, by: boolean) => {
  results[name] = (results[name] ?? 0) + (by ? 1 : 0)
}
async function read(world: World, file: World['files'][number]) {
  let fetched = await world.clients.download(file)
  // A machine that is busy with something else lets timeouts pass; an attack fails the second attempt too.
  if (!fetched.ok && !fetched.wrong) fetched = await world.clients.download(file)
  if (world === hostile) {
    count('wrong downloads', fetched.wrong)
    count('downloads that failed', !fetched.ok)
    if (!fetched.ok) report(`not downloaded: ${fetched.msg}`)
  }
  return fetched
}

/** The machine's noise: a difference below it says nothing. */
const NOISE_MS = 100
const TRIES = 4

/** Every file once from each network, in turns, so that both are equally disturbed by what else the machine does. */
async function readAll(): Promise<void> {
  const total = { hostile: 0, peaceful: 0 }
  for (const [index, file] of hostile.files.entries()) {
    const twin = peaceful.files[index]
    const best = { hostile: Number.POSITIVE_INFINITY, peaceful: Number.POSITIVE_INFINITY }
    const isSlow = () => best.hostile > 2 * best.peaceful + NOISE_MS
    for (let time = 0; twin && time < TRIES && (time === 0 || isSlow()); time++) {
      const [one, other] = [await read(hostile, file), await read(peaceful, twin)]
      if (time === 0) {
        total.hostile += one.ms
        total.peaceful += other.ms
      }
      best.hostile = Math.min(best.hostile, one.ms)
      best.peaceful = Math.min(best.peaceful, other.ms)
    }
    if (isSlow()) slow.push({ size: file.size, ...best })
  }
  report(
    `downloads of all files: ${Math.round(total.hostile)} ms with attackers, ${Math.round(total.peaceful)} ms without`,
  )
  results['files that take more than twice the time'] = slow.length
  results['refused honest uploads'] = hostile.clients.refused.length
  results['contents read without permission'] = hostile.measures.foreignReads
  results['honest copies that attackers removed'] = hostile.measures.lost.size
  const blamed = await hostile.measures.blamed()
  results['honest nodes that were blamed'] = blamed.length
  if (blamed.length > 0) report(`blamed: ${JSON.stringify(blamed)}`)
  if (hostile.measures.lost.size > 0) report(`lost: ${JSON.stringify([...hostile.measures.lost].slice(0, 10))}`)
}

describe('a network with hostile edges', () => {
  it('stores all files of honest accounts', () => {
    expect(hostile.clients.refused).toEqual([])
    expect(hostile.files).toHaveLength(SCALE.files)
  })

  it('gives attackers nothing, except what is pending', () => {
    console.table(hostile.measures.detections())
    if (slow.length > 0) console.table(slow)
    const gained = Object.keys(results).filter((name) => results[name] !== 0)
    expect(gained.sort(), JSON.stringify(results, undefined, 2)).toEqual(Object.keys(pending).sort())
  })
})
