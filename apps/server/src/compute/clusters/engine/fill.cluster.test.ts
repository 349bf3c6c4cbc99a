import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { afterAll, describe, expect, it } from 'vitest'
import { MB, runScript, sampleSize, sampleWorkload, sampleWorkspace } from '../sample-workloads.fixture.ts'
import { run } from './run.ts'
import { sampleEngine } from './sample-engine.fixture.ts'

/** A tenant who fills every writable place uses at most the purchased disk of this machine. */

const SIZE = sampleSize({ cpu: 1 })
/** Files of the engine for a container: log and settings. */
const OVERHEAD_BYTES = 8 * MB
const { driver, options, close } = sampleEngine()
const { state, facts } = await driver.probe()
if (state !== 'ready') await close()
afterAll(async () => expect(await close()).toEqual([]))

const space = sampleWorkspace({ ...SIZE, memory: 256 * MB })
const spec = sampleWorkload({ size: SIZE })
const ref = { workspace: space.id, workload: spec.id }

/** Replaces the machine with an empty one. */
async function recreate(): Promise<void> {
  await driver.removeWorkspace(space.id)
  await driver.createWorkspace(space)
  await driver.deploy(space, spec)
}

const sh = async (script: string) => (await runScript(driver, ref, script)).output

/** Restarts the machine: filling its memory may have killed it. */
async function restart(): Promise<string> {
  await expect
    .poll(
      () =>
        driver.deploy(space, spec).then(
          () => sh('echo runs'),
          () => '',
        ),
      { timeout: 60_000, interval: 500 },
    )
    .toBe('runs')
  return ''
}

interface Mount {
  device: string
  point: string
  options: string[]
  type: string
}

/** `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue` */
const mountsIn = (text: string): Mount[] =>
  text.split('\n').map((line) => {
    const [before = '', after = ''] = line.split(' - ')
    const [, , device = '', , point = '', flags = ''] = before.split(' ')
    return { device, point, options: flags.split(','), type: after.split(' ')[0] ?? '' }
  })

/** Bytes in the folder without mounted file systems; a workload's disk counts as its image file. */
const usedOfMachine = async () => Number((await run('du', ['-sx', '--block-size=1', options.data])).split('\t')[0])

/** File systems that use the tenant's memory, or store no content. */
const IN_MEMORY = new Set(['tmpfs', 'dev', 'mqueue', 'proc', 'sysfs', 'devpts', 'cgroup', 'cgroup2'])

describe.skipIf(state !== 'ready' || facts.storage !== 'enforced')('with an engine that enforces disk sizes', () => {
  it('every writable mount counts against the purchased disk or memory', async () => {
    await recreate()
    const before = await usedOfMachine()
    const mounts = mountsIn(await sh('cat /proc/self/mountinfo'))
    const disk = mounts.find(({ point }) => point === '/data')?.device
    const writable = mounts.filter(({ options: flags }) => flags.includes('rw'))
    // The device of `/` does not tell where its changes are stored, and no device does on a kernel of its own; filling them does.
    const told =
      facts.kernel === 'own' ? [] : writable.filter(({ point, type }) => point !== '/' && !IN_MEMORY.has(type))
    for (const { point, device, type } of told) expect([point, type, device]).toEqual([point, type, disk])

    const more = ['/tmp', '/run', '/var', '/root', '/home', '/etc']
    let filled = 0
    for (const point of [...new Set([...writable.map((each) => each.point), ...more])]) {
      // 256 MiB are four times the disk, and the memory.
      const wrote = await sh(
        `f=${point}; [ -d $f ] && f=$f/fill; (dd if=/dev/zero bs=65536 count=4096 >> $f) 2>/dev/null; [ -f $f ] && wc -c < $f; true`,
      ).catch(restart)
      // The output may start with a message about killed programs.
      const bytes = Number(/(\d*)$/.exec(wrote)?.[1])
      expect([point, bytes, bytes < 128 * MB]).toEqual([point, bytes, true])
      filled += 1
      expect([point, (await usedOfMachine()) - before < SIZE.storage + OVERHEAD_BYTES]).toEqual([point, true])
    }
    expect(filled).toBeGreaterThan(8)
    expect((await driver.usage(ref)).storage).toBeGreaterThan(40 * MB)
  })

  it('this holds when a full workload is stopped, started, enlarged and suspended repeatedly', async () => {
    await recreate()
    const before = await usedOfMachine()
    for (let round = 1; round <= 3; round++) {
      await sh('dd if=/dev/urandom of=/root/fill bs=65536 count=4096 2>/dev/null; true')
      if (round < 3) await driver.resize(space, { ...spec, size: { ...SIZE, memory: (64 + round * 16) * MB } })
      else await driver.suspendWorkspace(space.id)
      await driver.createWorkspace(space)
      await driver.deploy(space, { ...spec, size: { ...SIZE, memory: (64 + Math.min(2, round) * 16) * MB } })
      expect(Number(await sh('wc -c < /root/fill'))).toBeGreaterThan(30 * MB)
      expect((await usedOfMachine()) - before).toBeLessThan(SIZE.storage + OVERHEAD_BYTES)
    }
  })

  it('files provided by the engine contain no data of this machine', async () => {
    await recreate()
    const addresses = (text: string) => [...text.matchAll(/^nameserver\s+(\S+)/gm)].map(([, address]) => address)
    const own = addresses(readFileSync('/etc/resolv.conf', 'utf8'))
    const seen = addresses(await sh('cat /etc/resolv.conf'))
    expect(seen.filter((address) => own.includes(address))).toEqual([])
    if (facts.network !== 'none') expect(seen).toHaveLength(1)
    const hosts = await sh('cat /etc/hosts')
    const names = (text: string) => text.split('\n').flatMap((line) => line.replace(/#.*/, '').split(/\s+/).slice(1))
    const common = new Set(['localhost', 'ip6-localhost', 'ip6-loopback', ''])
    const machine = [...names(readFileSync('/etc/hosts', 'utf8')), hostname(), 'host.containers.internal']
    expect(names(hosts).filter((name) => !common.has(name) && machine.includes(name))).toEqual([])
    expect(await sh('cat /etc/hostname')).toBe('machine')
    await driver.removeWorkspace(space.id)
  })
})
