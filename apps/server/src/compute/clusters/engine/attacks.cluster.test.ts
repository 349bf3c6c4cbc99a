import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type Docker from 'dockerode'
import { afterAll, describe, expect, it } from 'vitest'
import { PULL_FAILURES, type WorkloadRef, type WorkloadSpec } from '../driver.ts'
import { GATEWAY, randomId, runScript, sampleWorkload, sampleWorkspace, until } from '../sample-workloads.fixture.ts'
import { tarOf } from '../tar.ts'
import { connect, engineCandidates } from './connect.ts'
import { digestOf } from './container.ts'
import { createEngineDriver } from './engine.ts'
import { bridgeName } from './firewall.ts'
import { busyboxRootfs } from './rootfs.ts'
import { run } from './run.ts'
import { sampleEngine } from './sample-engine.fixture.ts'

/** Attacks that only concern container engines. The suite of all drivers contains more. */

const { driver, options, close } = sampleEngine()
const { data, installation } = options
const { state, facts } = await driver.probe()
// `afterAll` does not run if all tests are skipped.
if (state !== 'ready') await close()
const isPodman = options.setting === 'podman'

afterAll(async () => expect(await close()).toEqual([]))

async function machine(more: Partial<WorkloadSpec> = {}, by = driver): Promise<WorkloadRef> {
  const space = sampleWorkspace()
  await driver.createWorkspace(space)
  const spec = sampleWorkload(more)
  await by.deploy(space, spec)
  return { workspace: space.id, workload: spec.id }
}

const sh = async (ref: WorkloadRef, script: string) => (await runScript(driver, ref, script)).output

async function withDocker<T>(work: (docker: Docker) => Promise<T>): Promise<T> {
  for (const candidate of engineCandidates(options.setting)) {
    const connection = await connect(candidate, data).catch(() => undefined)
    if (connection) return work(connection.docker).finally(connection.close)
  }
  throw new Error('there is no engine')
}

/** Sends an HTTP request from a workload. @returns `reached` if there is an answer */
const request = (ref: WorkloadRef, address: string, port: number) =>
  sh(
    ref,
    `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | timeout 3 nc -w 2 ${address} ${port} 2>/dev/null | grep -o reached; true`,
  )

const server = createServer((_, answer) => answer.end('reached'))
await new Promise<void>((resolve) => server.listen(0, '::', resolve))
const { port } = server.address() as AddressInfo
afterAll(() => new Promise((resolve) => server.close(resolve)))

describe.skipIf(state !== 'ready')('with an engine', { concurrent: true }, () => {
  describe('an image', () => {
    it('with the label of the default image does not replace it', async () => {
      const rootfs = busyboxRootfs()
      if (!rootfs) return
      await withDocker(async (docker) => {
        const image = { repo: 'localhost/evil', changes: ['LABEL tidenet.source=busybox', 'ENV EVIL=yes'] }
        const answer = (await docker.importImage(rootfs, image)) as unknown as AsyncIterable<Buffer>
        for await (const _ of answer);
      })
      const restarted = createEngineDriver(options)
      const ref = await machine({}, restarted)
      expect(await sh(ref, 'echo "[$EVIL]"')).toBe('[]')
      await restarted.close()
    })

    it('of another user of the engine is not available to tenants', async () => {
      await withDocker(async (docker) => {
        const [own] = await docker.listImages()
        await docker.getImage(own?.Id ?? '').tag({ repo: 'docker.io/library/tidenet-private', tag: '1' })
      })
      // Which one depends on whether the registry can be reached.
      await expect(machine({ image: 'docker.io/library/tidenet-private:1' })).rejects.toMatchObject({
        failure: expect.toSatisfy((failure) => (PULL_FAILURES as readonly unknown[]).includes(failure)),
      })
    })
  })

  describe('copied files', () => {
    const content = Buffer.from('|/data/evil')
    const put = (ref: WorkloadRef, path: string) =>
      driver.copyIn(ref, tarOf([{ kind: 'file', path, size: content.length, content }])).catch(() => {})

    it('do not follow a link into the kernel settings', async () => {
      const ref = await machine()
      const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8')
      await sh(ref, 'ln -s /proc/sys/kernel /data/in')
      await put(ref, 'data/in/core_pattern')
      expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before)
    })

    it('do not leave the container through links or parent folders', async () => {
      const ref = await machine()
      const name = randomId('tidenet-evil')
      await sh(ref, `ln -s ${tmpdir()} /data/in; ln -s ../../../../../../../..${tmpdir()} /data/up`)
      for (const path of [`data/in/${name}`, `data/up/${name}`, `../../../../../../../..${tmpdir()}/${name}`])
        await put(ref, path)
      expect(existsSync(join(tmpdir(), name))).toBe(false)
    })
  })

  it.skipIf(!isPodman)('the log of a program has a maximum size', async () => {
    const ref = await machine({
      command: ['/bin/sh', '-c', 'head -c 30000000 /dev/zero | tr "\\0" x | fold -w 99; sleep 600'],
    })
    const containers = join(data, 'podman/storage/overlay-containers')
    const sizes = () =>
      readdirSync(containers, { recursive: true })
        .filter((name) => String(name).endsWith('ctr.log'))
        .map((name) => statSync(join(containers, String(name))).size)
    await until(async () => (await sh(ref, 'ps')).includes('sleep 600'))
    expect(Math.max(...sizes())).toBeGreaterThan(1000)
    expect(Math.max(...sizes())).toBeLessThan(6_000_000)
  })

  it('a program sees neither programs of others nor their variables', async () => {
    const mine = await machine()
    await machine({ env: { SECRET: 'of-somebody-else' } })
    expect(await sh(mine, 'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | grep -c somebody-else')).toBe('0')
    expect(Number(await sh(mine, 'ls -d /proc/[0-9]* | wc -l'))).toBeLessThan(10)
  })

  it('the engine’s socket and folders of this machine are not visible', async () => {
    const ref = await machine()
    expect(await sh(ref, 'find / -xdev -type s 2>/dev/null')).toBe('')
    const mounts = (await sh(ref, 'cat /proc/mounts')).split('\n')
    const sources = mounts.map((line) => line.split(' ')).filter(([source]) => source?.startsWith('/dev/'))
    for (const [source, point, , flags] of sources) {
      if (point === '/data') expect(flags?.split(',')).toEqual(expect.arrayContaining(['nosuid', 'nodev']))
      else expect([source, point]).toEqual([source, expect.stringMatching(/^\/(etc|run|dev)\//)])
    }
  })

  it.skipIf(!isPodman)('the socket of our own engine is not created in a folder that others can write to', async () => {
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
  })

  describe.skipIf(facts.network === 'none')('with a network, tenants cannot reach', () => {
    it('ports of this machine, at the address of the bridge, of the machine, or by IPv6', async () => {
      const ref = await machine()
      const bridge = bridgeName(digestOf(installation, ref.workspace))
      const own = Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
        (addresses ?? []).filter(({ internal }) => !internal).map(({ address }) => ({ name, address })),
      )
      expect(own.filter(({ name }) => name === bridge).length).toBeGreaterThan(0)
      const addresses = own
        .filter((each) => each.name === bridge || !each.name.startsWith('td'))
        .map(({ name, address }) => (name === bridge && address.startsWith('fe80') ? `${address}%eth0` : address))
      const answers = await Promise.all(addresses.map((address) => request(ref, address, port)))
      expect(addresses.filter((_, index) => answers[index] !== '')).toEqual([])
      expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('reached')
    })

    it('the metadata service of clouds', async () => {
      const ref = await machine()
      // A network namespace that answers at this address, as in a cloud.
      const space = randomId('td').replace('-', '').slice(0, 10)
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

    it('the DNS server of another workspace', async () => {
      const [mine, theirs] = [await machine(), await machine({ name: 'treasure' })]
      const gateway = (ref: WorkloadRef) => sh(ref, GATEWAY)
      expect(
        await sh(theirs, `timeout 4 nslookup treasure ${await gateway(theirs)} >/dev/null 2>&1 && echo known`),
      ).toBe('known')
      expect(
        await sh(mine, `timeout 4 nslookup treasure ${await gateway(theirs)} >/dev/null 2>&1 && echo known; true`),
      ).toBe('')
    })

    it('published ports of other workspaces', async () => {
      const mine = await machine()
      const theirs = await machine({
        name: 'web',
        ports: [8080],
        command: ['/bin/sh', '-c', 'while :; do echo reached | nc -l -p 8080; done'],
      })
      const [found] = (await driver.list(theirs.workspace)).flatMap(({ published }) => published)
      const [host = '', at] = (found?.address ?? '').split(':')
      expect(host).toBe('127.0.0.1')
      await until(async () => (await fetchText(host, Number(at))).includes('reached'))
      const addresses = ['127.0.0.1', await sh(mine, GATEWAY)]
      expect(await Promise.all(addresses.map((address) => request(mine, address, Number(at))))).toEqual(['', ''])
    })
  })
})

// Alone, because it removes the firewall rules of all workspaces.
describe.skipIf(state !== 'ready' || facts.network === 'none')('without our firewall rules', () => {
  it('the next measurement restores them', async () => {
    const ref = await machine()
    const gateway = await sh(ref, GATEWAY)
    await run('nft', ['delete', 'table', 'inet', 'tidenet'])
    expect(await request(ref, gateway, port)).toBe('reached')
    await driver.usage(ref)
    expect(await request(ref, gateway, port)).toBe('')
  })
})

/** The answer at a local port of this machine. */
const fetchText = (host: string, port: number): Promise<string> =>
  run('busybox', ['nc', '-w', '2', host, String(port)]).catch(() => '')
