import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY, HOUR, loadAttacks, openWorld, type World } from './harness.ts'
import { gainsOf } from './measures.ts'
import { pending } from './pending.ts'

/** A network in which most edges are hostile, next to one with the same files in which all are honest. */

const LONG = Boolean(process.env.TIDENET_TEST_LONG)
const SCALE = LONG
  ? { candidates: 6, validators: 2, edges: 13, attackers: 20, files: 500, days: 30, stepMs: 12 * HOUR }
  : { candidates: 3, validators: 1, edges: 2, attackers: 19, files: 24, days: 3, stepMs: 12 * HOUR }
const SEED = 20_260

let hostile: World
let peaceful: World
const results: Record<string, number> = {}
const times = { hostile: [] as number[], peaceful: [] as number[] }

beforeAll(async () => {
  const attacks = await loadAttacks()
  const options = { seed: SEED, ...SCALE }
  ;[hostile, peaceful] = await Promise.all([openWorld({ ...options, attacks }), openWorld({ ...options, attacks: [] })])
  await live(hostile)
  await live(peaceful)
  await readAll()
  Object.assign(results, await gainsOf(hostile))
}, 3_600_000)
afterAll(async () => {
  await Promise.all([hostile?.close(), peaceful?.close()])
})

/** All simulated days: files are uploaded and read while attackers attack. */
async function live(world: World): Promise<void> {
  const owners = await Promise.all(Array.from({ length: 4 }, () => world.clients.client()))
  const steps = Math.round((SCALE.days * DAY) / SCALE.stepMs)
  let uploaded = 0
  for (let step = 1; step <= steps; step++) {
    const due = Math.ceil((SCALE.files * step) / steps)
    for (; uploaded < due; uploaded++) {
      const owner = owners[uploaded % owners.length]
      if (owner) await world.clients.upload(owner)
    }
    await world.step(SCALE.stepMs)
  }
}

/** Every file once from each network, in turns, so that both are equally disturbed by what else the machine does. */
async function readAll(): Promise<void> {
  const count = (name: string, by: boolean) => {
    results[name] = (results[name] ?? 0) + (by ? 1 : 0)
  }
  for (const [index, file] of hostile.files.entries()) {
    const twin = peaceful.files[index]
    const fetched = await hostile.clients.download(file)
    times.hostile.push(fetched.ms)
    if (twin) times.peaceful.push((await peaceful.clients.download(twin)).ms)
    count('wrong downloads', fetched.wrong)
    count('files that nobody could download', !fetched.ok)
    if (!fetched.ok) console.log(`not downloaded: ${fetched.msg}`)
  }
  results['refused honest uploads'] = hostile.clients.refused.length
  results['contents read without permission'] = hostile.measures.foreignReads
  results['honest copies that attackers removed'] = hostile.measures.lost.size
  results['honest nodes that were blamed'] = (await hostile.measures.blamed()).length
  const [slow, fast] = [sum(times.hostile), sum(times.peaceful)]
  results['downloads that take more than twice the time'] = slow > 2 * fast ? 1 : 0
  console.log(`downloads: ${Math.round(slow)} ms with attackers, ${Math.round(fast)} ms without`)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

it('stores all files of honest accounts', () => {
  expect(hostile.clients.refused).toEqual([])
  expect(hostile.files).toHaveLength(SCALE.files)
})

it('gives attackers nothing, except what is pending', () => {
  console.table(hostile.measures.detections())
  const gained = Object.keys(results).filter((name) => results[name] !== 0)
  expect(gained.sort(), JSON.stringify(results, undefined, 2)).toEqual(Object.keys(pending).sort())
})
