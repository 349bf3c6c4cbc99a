import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WorkloadRef, WorkloadSpec, WorkspaceSpec } from '../driver.ts'
import { tarOf } from '../tar.ts'
import { connect, placesOfEngines } from './connect.ts'
import { digestOf } from './container.ts'
import { createEngineDriver } from './engine.ts'
import { bridgeName } from './firewall.ts'
import { busyboxRootfs } from './rootfs.ts'
import { run } from './run.ts'
import { sampleEngine } from './sample-engine.fixture.ts'

/** What tenants of an engine try beyond what every cluster is tried with. */

const MB = 1024 ** 2
const SIZE = { cpu: 0.5, memory: 64 * MB, storage: 64 * MB }
const { driver, options, close } = sampleEngine()
const { data, installation } = options
const { state, facts } = await driver.probe()
// Nothing runs after tests that are all left out.
if (state !== 'ready') await close()
const isPodman = options.setting === 'podman'

afterAll(async () => expect(await close()).toEqual([]))

const random = (kind: string) => `${kind}-${randomBytes(4).toString('hex')}`
const workload = (more: Partial<WorkloadSpec> = {}): WorkloadSpec => ({
  id: random('w'),
  name: 'machine',
  image: undefined,
  command: [],
  env: {},
  ports: [],
  size: SIZE,
  ...more,
})

async function machine(more: Partial<WorkloadSpec> = {}, by = driver): Promise<WorkloadRef & { space: WorkspaceSpec }> {
  const space = { id: random('ws'), owner: 'u1', size: SIZE }
  await driver.createWorkspace(space)
  const spec = workload(more)
  await by.deploy(space, spec)
  return { workspace: space.id, workload: spec.id, space }
}

async function sh(ref: WorkloadRef, script: string): Promise<string> {
  const { stream } = await driver.exec(ref, { command: ['/bin/sh', '-c', script], tty: false })
  let output = ''
  for await (const chunk of stream) output += chunk
  return output.trim()
}

async function withDocker<T>(work: (docker: Docker) => Promise<T>): Promise<T> {
  for (const place of placesOfEngines(options.setting)) {
    const connection = await connect(place, data).catch(() => undefined)
    if (connection) return work(connection.docker).finally(connection.close)
  }
  throw new Error('there is no engine')
}

describe.skipIf(state !== 'ready')('with an engine', () => {
  describe('an image', () => {
    it('that says it is the cluster’s own does not become it', async () => {
      const rootfs = busyboxRootfs()
      if (!rootfs) return
      await withDocker(async (docker) => {
        const asked = { repo: 'localhost/evil', changes: ['LABEL tidenet.source=busybox', 'ENV EVIL=yes'] }
        const answer = (await docker.importImage(rootfs, asked)) as unknown as AsyncIterable<Buffer>
        for await (const _ of answer);
      })
      const restarted = createEngineDriver(options)
      const ref = await machine({}, restarted)
      expect(await sh(ref, 'echo "[$EVIL]"')).toBe('[]')
      await restarted.close()
    })

    it('that somebody else keeps on the same engine is not for everybody', async () => {
      await withDocker(async (docker) => {
        const [own] = await docker.listImages()
        await docker.getImage(own?.Id ?? '').tag({ repo: 'docker.io/library/tidenet-private', tag: '1' })
      })
      await expect(machine({ image: 'docker.io/library/tidenet-private:1' })).rejects.toMatchObject({
        failure: 'image',
      })
    })
  })

  describe('files that are copied in', () => {
    const content = Buffer.from('|/data/evil')
    const put = (ref: WorkloadRef, path: string) =>
      driver.copyIn(ref, tarOf([{ kind: 'file', path, size: content.length, content }])).catch(() => {})

    it('do not follow a link into the settings of the kernel', async () => {
      const ref = await machine()
      const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8')
      await sh(ref, 'ln -s /proc/sys/kernel /data/in')
      await put(ref, 'data/in/core_pattern')
      expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before)
    })

    it('nor out of the machine, by a link or by dots', async () => {
      const ref = await machine()
      const name = random('tidenet-evil')
      await sh(ref, `ln -s ${tmpdir()} /data/in; ln -s ../../../../../../../..${tmpdir()} /data/up`)
      for (const path of [`data/in/${name}`, `data/up/${name}`, `../../../../../../../..${tmpdir()}/${name}`])
        await put(ref, path)
      expect(existsSync(join(tmpdir(), name))).toBe(false)
    })
  })

  it.skipIf(!isPodman)('what a program writes is kept in so many bytes', async () => {
    const ref = await machine({
      command: ['/bin/sh', '-c', 'head -c 30000000 /dev/zero | tr "\\0" x | fold -w 99; sleep 600'],
    })
    const containers = join(data, 'podman/storage/overlay-containers')
    const sizes = () =>
      readdirSync(containers, { recursive: true })
        .filter((name) => String(name).endsWith('ctr.log'))
        .map((name) => statSync(join(containers, String(name))).size)
    await expect.poll(async () => (await sh(ref, 'ps')).includes('sleep 600'), { timeout: 30_000 }).toBe(true)
    expect(Math.max(...sizes())).toBeGreaterThan(1000)
    expect(Math.max(...sizes())).toBeLessThan(6_000_000)
  })

  it('a program does not see those of others, nor their variables', async () => {
    const mine = await machine()
    await machine({ env: { SECRET: 'of-somebody-else' } })
    expect(await sh(mine, 'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | grep -c somebody-else')).toBe('0')
    expect(Number(await sh(mine, 'ls -d /proc/[0-9]* | wc -l'))).toBeLessThan(10)
  })

  it('no socket of the engine, and no folder of this machine, is to be seen', async () => {
    const ref = await machine()
    expect(await sh(ref, 'find / -xdev -type s 2>/dev/null')).toBe('')
    const mounts = (await sh(ref, 'cat /proc/mounts')).split('\n')
    const sources = mounts.map((line) => line.split(' ')).filter(([source]) => source?.startsWith('/dev/'))
    for (const [source, point, , flags] of sources) {
      if (point === '/data') expect(flags?.split(',')).toEqual(expect.arrayContaining(['nosuid', 'nodev']))
      else expect([source, point]).toEqual([source, expect.stringMatching(/^\/(etc|run|dev)\//)])
    }
  })

  it.skipIf(!isPodman)(
    'the socket of an engine of ours is not taken from a folder that others may write in',
    async () => {
      const long = join(data, 'x'.repeat(110))
      const hash = createHash('sha256').update(join(long, 'podman')).digest('hex').slice(0, 24)
      const trap = join(tmpdir(), `tidenet-${hash}`)
      mkdirSync(trap)
      chmodSync(trap, 0o777)
      try {
        const trapped = createEngineDriver({ ...options, data: long })
        expect((await trapped.probe()).state).toBe('absent')
        await trapped.close()
      } finally {
        rmSync(trap, { recursive: true, force: true })
      }
    },
  )

  describe.skipIf(facts.network === 'none')('with a network, nobody reaches', () => {
    const server = createServer((_, answer) => answer.end('reached'))
    let port = 0
    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, '::', resolve))
      port = (server.address() as AddressInfo).port
    })
    afterAll(() => new Promise((resolve) => server.close(resolve)))
    /** Sends a question by HTTP; `reached` when somebody answers it. */
    const ask = (ref: WorkloadRef, address: string, at = port) =>
      sh(
        ref,
        `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | timeout 3 nc -w 2 ${address} ${at} 2>/dev/null | grep -o reached; true`,
      )

    it('what listens on this machine, by the address of the bridge, of the machine, or by IPv6', async () => {
      const ref = await machine()
      const bridge = bridgeName(digestOf(installation, ref.workspace))
      const own = Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
        (addresses ?? []).filter(({ internal }) => !internal).map(({ address }) => ({ name, address })),
      )
      expect(own.filter(({ name }) => name === bridge).length).toBeGreaterThan(0)
      for (const { name, address } of own.filter((each) => each.name === bridge || !each.name.startsWith('td'))) {
        expect([
          address,
          await ask(ref, name === bridge && address.startsWith('fe80') ? `${address}%eth0` : address),
        ]).toEqual([address, ''])
      }
      expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('reached')
    })

    it('this machine, after its rules were loaded anew without ours', async () => {
      const ref = await machine()
      const gateway = await sh(ref, "ip route | sed -n 's/^default via \\([0-9.]*\\).*/\\1/p'")
      await run('nft', ['delete', 'table', 'inet', 'tidenet'])
      expect(await ask(ref, gateway)).toBe('reached')
      await driver.usage(ref)
      expect(await ask(ref, gateway)).toBe('')
    })

    it('the address at which clouds tell a machine its secrets', async () => {
      const ref = await machine()
      // A network of its own in which that address answers, as a cloud would have it.
      const space = random('td').replace('-', '').slice(0, 10)
      await run('ip', ['netns', 'add', space])
      try {
        await run('ip', ['link', 'add', `${space}h`, 'type', 'veth', 'peer', 'name', `${space}n`, 'netns', space])
        await run('ip', ['addr', 'add', '169.254.169.253/30', 'dev', `${space}h`])
        await run('ip', ['link', 'set', `${space}h`, 'up'])
        await run('ip', ['-n', space, 'addr', 'add', '169.254.169.254/30', 'dev', `${space}n`])
        await run('ip', ['-n', space, 'link', 'set', `${space}n`, 'up'])
        await run('ip', ['-n', space, 'route', 'add', 'default', 'via', '169.254.169.253'])
        const reached = async (from: (...args: string[]) => Promise<string>) =>
          (await from('ping', '-c', '1', '-W', '2', '169.254.169.254').catch(() => '')).includes(' 0% packet loss')
        expect(await reached((command, ...args) => run('busybox', [command, ...args]))).toBe(true)
        expect(await sh(ref, 'timeout 4 nc -w 2 169.254.169.254 80 </dev/null 2>&1; echo ended with $?')).not.toContain(
          'refused',
        )
      } finally {
        await run('ip', ['link', 'del', `${space}h`]).catch(() => {})
        await run('ip', ['netns', 'del', space])
      }
    })

    it('the names of another workspace, by asking at its bridge', async () => {
      const [mine, theirs] = [await machine(), await machine({ name: 'treasure' })]
      const gateway = async (ref: WorkloadRef) => sh(ref, "ip route | sed -n 's/^default via \\([0-9.]*\\).*/\\1/p'")
      expect(
        await sh(theirs, `timeout 4 nslookup treasure ${await gateway(theirs)} >/dev/null 2>&1 && echo known`),
      ).toBe('known')
      expect(
        await sh(mine, `timeout 4 nslookup treasure ${await gateway(theirs)} >/dev/null 2>&1 && echo known; true`),
      ).toBe('')
    })

    it('ports of others, by where they are published', async () => {
      const mine = await machine()
      const theirs = await machine({
        name: 'web',
        ports: [8080],
        command: ['/bin/sh', '-c', 'while :; do echo reached | nc -l -p 8080; done'],
      })
      const [found] = (await driver.list(theirs.workspace)).flatMap(({ published }) => published)
      const [host = '', at] = (found?.address ?? '').split(':')
      expect(host).toBe('127.0.0.1')
      await expect.poll(() => fetchText(host, Number(at)), { timeout: 10_000 }).toContain('reached')
      const gateway = await sh(mine, "ip route | sed -n 's/^default via \\([0-9.]*\\).*/\\1/p'")
      for (const address of ['127.0.0.1', gateway]) expect(await ask(mine, address, Number(at))).toBe('')
    })
  })
})

/** What a machine of ours is told at a port of its own. */
const fetchText = (host: string, port: number): Promise<string> =>
  run('busybox', ['nc', '-w', '2', host, String(port)]).catch(() => '')
