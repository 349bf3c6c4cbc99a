import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  askedOf,
  type ClusterDriver,
  type ExecOptions,
  type Size,
  type WorkloadSpec,
  type WorkspaceSpec,
} from './driver.ts'
import { driverRefusals, until } from './driver-refusals.fixture.ts'
import { tarOf } from './tar.ts'

const MB = 1024 ** 2

export interface Opened {
  driver: ClusterDriver
  /** Another one for the same cluster and installation, as after a restart of the server. */
  again(): ClusterDriver
  /** What is left on this machine of a workspace that is gone. */
  leftOf?(workspace: string): string[]
  /** Whether disks grow, which not every storage class does; true unless said. */
  growing?: boolean
  /** Whether rules between workspaces are carried out, which not every network of a cluster does; true unless said. */
  apart?: boolean
  close(): Promise<void>
}

/** What every driver does, tried on a real cluster; `open` gives one that is ready. */
export function driverSuite(name: string, open: () => Promise<Opened>): void {
  describe(`a cluster by ${name}`, { timeout: 120_000 }, () => {
    let opened: Opened
    let driver: ClusterDriver
    const made: string[] = []

    beforeAll(async () => {
      opened = await open()
      driver = opened.driver
    }, 180_000)
    afterAll(async () => {
      await Promise.allSettled(made.map((id) => driver.removeWorkspace(id)))
      await opened?.close()
    }, 180_000)

    const size = (more: Partial<Size> = {}): Size => ({ cpu: 0.5, memory: 64 * MB, storage: 64 * MB, ...more })

    async function workspace(more: Partial<Size> = {}): Promise<WorkspaceSpec> {
      const spec = { id: `ws-${randomBytes(4).toString('hex')}`, owner: 'u1', size: size(more) }
      made.push(spec.id)
      await driver.createWorkspace(spec)
      return spec
    }

    const workload = (more: Partial<WorkloadSpec> = {}): WorkloadSpec => ({
      id: `w-${randomBytes(4).toString('hex')}`,
      name: 'machine',
      image: undefined,
      command: [],
      env: {},
      ports: [],
      size: size(),
      ...more,
    })

    async function machine(more: Partial<WorkloadSpec> = {}) {
      const space = await workspace(more.size)
      const spec = workload(more)
      await driver.deploy(space, spec)
      await until(async () => (await stateOf(space.id, spec.id))?.state === 'running')
      return { space, spec, ref: { workspace: space.id, workload: spec.id } }
    }

    const stateOf = async (space: string, id: string) =>
      (await driver.list(space)).find(({ workload: other }) => other === id)

    /** Runs a script in a workload; gives what it wrote and how it ended. */
    async function sh(ref: { workspace: string; workload: string }, script: string, more: Partial<ExecOptions> = {}) {
      const run = await driver.exec(ref, { command: ['/bin/sh', '-c', script], tty: false, ...more })
      let output = ''
      for await (const chunk of run.stream) output += chunk
      return { output: output.trim(), code: await run.exit }
    }

    it('is ready, and says how disks are kept within bounds', async () => {
      const { state, facts } = await driver.probe()
      expect(state).toBe('ready')
      expect(facts.storage).toMatch(/^(enforced|metered)/)
    })

    it('runs a machine, and a program in it', async () => {
      const { ref } = await machine({ env: { GREETING: 'hello' } })
      expect(await sh(ref, 'echo $GREETING; exit 7')).toEqual({ output: 'hello', code: 7 })
    })

    it('input reaches the program', async () => {
      const { ref } = await machine()
      const run = await driver.exec(ref, { command: ['/bin/sh', '-c', 'read line; echo "got $line"'], tty: false })
      run.stream.write('words\n')
      let output = ''
      for await (const chunk of run.stream) output += chunk
      expect(output).toContain('got words')
      expect(await run.exit).toBe(0)
    })

    it('a terminal has the size it is given, and another one when it changes', async () => {
      const { ref } = await machine()
      const run = await driver.exec(ref, { command: ['/bin/sh'], tty: true, columns: 80, rows: 24 })
      let output = ''
      run.stream.on('data', (chunk: Buffer) => {
        output += chunk
      })
      await run.resize(120, 40)
      await until(async () => {
        run.stream.write('stty size\n')
        return output.includes('40 120')
      }, 200)
      run.stream.write('exit 3\n')
      expect(await run.exit).toBe(3)
      await run.resize(80, 24)
    })

    it('a program that takes more memory than was bought is killed, and the machine lives on', async () => {
      const { ref } = await machine()
      const { code } = await sh(ref, 'dd if=/dev/zero of=/dev/null bs=200M count=1 2>/dev/null; exit $?')
      expect(code).toBe(137)
      expect((await sh(ref, 'echo here')).output).toBe('here')
    })

    it('half a core is half a core', async () => {
      const { ref } = await machine()
      const before = await driver.usage(ref)
      const start = Date.now()
      await sh(
        ref,
        'end=$(($(date +%s) + 4)); while [ "$(date +%s)" -lt "$end" ]; do i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; done',
      )
      const after = await driver.usage(ref)
      const ratio = (after.cpuSeconds - before.cpuSeconds) / ((Date.now() - start) / 1000)
      // How much it really gets is up to whatever else this machine does.
      expect(ratio).toBeGreaterThan(0)
      expect(ratio).toBeLessThan(0.65)
    })

    it('there is an end to starting processes', async () => {
      const { ref } = await machine()
      const { output } = await sh(
        ref,
        'i=0; while [ $i -lt 600 ]; do sleep 20 & i=$((i+1)); done 2>/dev/null; ls -d /proc/[0-9]* | wc -l',
      ).catch((error) => ({ output: error.failure }))
      // The machine lives on, whatever became of those.
      if (output !== '' && Number.isFinite(Number(output))) expect(Number(output)).toBeLessThan(400)
      expect((await stateOf(ref.workspace, ref.workload))?.state).toBe('running')
    })

    it('the settings of the kernel are closed, and so is what reaches beyond the machine', async () => {
      const { ref } = await machine()
      const probes = [
        '(exec 3>>/proc/sys/kernel/core_pattern) 2>/dev/null',
        '(exec 3>>/proc/sys/vm/panic_on_oom) 2>/dev/null',
        '(exec 3>>/proc/sysrq-trigger) 2>/dev/null',
        'mount -t tmpfs none /mnt 2>/dev/null',
        'mknod /tmp/disk b 7 0 2>/dev/null && head -c 1 /tmp/disk 2>/dev/null',
        'chroot /proc/1/root true 2>/dev/null && [ -e /proc/1/root/etc/hostname-of-the-host ]',
        'unshare -r true 2>/dev/null && mount -t proc none /mnt 2>/dev/null',
        'dmesg >/dev/null 2>&1',
        'dd if=/dev/mem of=/dev/null count=1 2>/dev/null',
        'hostname elsewhere 2>/dev/null',
        ...((await driver.probe()).facts.namespaces === 'open' ? [] : ['unshare -U true 2>/dev/null']),
      ]
      for (const probe of probes) expect((await sh(ref, `${probe} && echo open || echo closed`)).output).toBe('closed')
    })

    it('a disk that is full says so, or is at least measured', async () => {
      const { ref } = await machine({ size: size({ memory: 128 * MB }) })
      const { storage } = (await stateOf(ref.workspace, ref.workload)) ?? {}
      const { output } = await sh(
        ref,
        'dd if=/dev/zero of=/data/fill bs=65536 count=1600 2>&1 | tail -n 1; ls -l /data/fill',
      )
      if (storage === 'enforced') {
        const written = Number(/\s(\d{6,})\s/.exec(output)?.[1])
        expect(written).toBeLessThan(64 * MB)
        expect(written).toBeGreaterThan(40 * MB)
      }
      await until(async () => (await driver.usage(ref)).storage > 40 * MB)
    })

    it('a program may ask whether another machine is there', async () => {
      const { ref } = await machine()
      expect((await sh(ref, 'cat /proc/sys/net/ipv4/ping_group_range')).output).toMatch(/^0\s+2147483647$/)
      if (driver.kind === 'engine' && (await driver.probe()).facts.network !== 'none')
        expect((await sh(ref, 'command -v ping >/dev/null || exit 0; ping -c 1 -W 2 127.0.0.1 >/dev/null')).code).toBe(
          0,
        )
    })

    it('other variables, ports and another program keep what the disk holds', async () => {
      const { space, spec, ref } = await machine({ env: { GREETING: 'hello' } })
      await sh(ref, 'echo kept > /data/kept')
      const before = (await stateOf(space.id, spec.id))?.asked
      const other = { ...spec, env: { GREETING: 'good morning' }, ports: [8080] }
      expect(before).toBe(askedOf(spec))
      await driver.resize(space, other)
      await until(async () => (await stateOf(space.id, spec.id))?.state === 'running')
      expect((await stateOf(space.id, spec.id))?.asked).toBe(askedOf(other))
      expect((await sh(ref, 'echo $GREETING; cat /data/kept')).output).toBe('good morning\nkept')
      await driver.resize(space, { ...other, command: ['/bin/sh', '-c', 'echo another; sleep 300'] })
      await until(async () => (await driver.logs(ref, { lines: 10 })).some(({ text }) => text === 'another'))
      expect((await sh(ref, 'cat /data/kept')).output).toBe('kept')
    })

    it('usage goes up with use', async () => {
      const { ref } = await machine()
      const before = await driver.usage(ref)
      await sh(ref, 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done')
      await until(async () => (await driver.usage(ref)).cpuSeconds > before.cpuSeconds)
      expect((await driver.usage(ref)).memory).toBeGreaterThan(0)
    })

    it('what a program writes is its log', async () => {
      const { ref } = await machine({ command: ['/bin/sh', '-c', 'echo one; echo two >&2; sleep 300'] })
      await until(async () => (await driver.logs(ref, { lines: 10 })).length === 2)
      const lines = await driver.logs(ref, { lines: 10 })
      expect(lines.map(({ text }) => text).sort()).toEqual(['one', 'two'])
      expect(Math.abs((lines[0]?.at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
      expect(await driver.logs(ref, { lines: 1 })).toHaveLength(1)
    })

    it('a program that ends by an error has failed, and says how', async () => {
      const space = await workspace()
      const spec = workload({ command: ['/bin/sh', '-c', 'exit 4'] })
      await driver.deploy(space, spec)
      await until(async () => ['failed', 'starting'].includes((await stateOf(space.id, spec.id))?.state ?? ''))
      await until(async () => (await stateOf(space.id, spec.id))?.exitCode === 4)
    })

    it('files are copied in', async () => {
      const { ref } = await machine()
      const content = Buffer.from('from the storage')
      const long = `data/in/${'long-'.repeat(30)}名.txt`
      await driver.copyIn(
        ref,
        tarOf([
          { kind: 'folder', path: 'data/in' },
          { kind: 'file', path: 'data/in/a.txt', size: content.length, content },
          { kind: 'file', path: long, size: content.length, content },
        ]),
      )
      expect((await sh(ref, 'cat /data/in/a.txt')).output).toBe('from the storage')
      expect((await sh(ref, `cat /${long}`)).output).toBe('from the storage')
    })

    it('that files break off on their way says nothing of the cluster', async () => {
      const { ref } = await machine()
      async function* torn() {
        yield Buffer.from('the beginning')
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
      }
      const file = { kind: 'file', path: 'data/torn', size: 1000, content: torn() } as const
      await expect(driver.copyIn(ref, tarOf([file]))).rejects.toMatchObject({ failure: 'failed' })
    })

    it('another size keeps what was there', async () => {
      const { space, spec, ref } = await machine({ size: size({ memory: 128 * MB, cpu: 1, storage: 128 * MB }) })
      await sh(ref, 'echo kept > /data/kept; echo changed > /root/changed')
      const storage = opened.growing === false ? 128 * MB : 192 * MB
      const bigger = { ...space, size: size({ memory: 256 * MB, cpu: 1.5, storage }) }
      await driver.createWorkspace(bigger)
      await driver.resize(bigger, { ...spec, size: bigger.size })
      await until(async () => (await stateOf(space.id, spec.id))?.state === 'running')
      expect((await stateOf(space.id, spec.id))?.size).toEqual(bigger.size)
      expect((await sh(ref, 'cat /data/kept')).output).toBe('kept')
      if (driver.kind === 'engine') expect((await sh(ref, 'cat /root/changed')).output).toBe('changed')
      const { code } = await sh(ref, 'dd if=/dev/zero of=/dev/null bs=170M count=1 2>/dev/null; exit $?')
      expect(code).toBe(0)
    })

    it('a stopped machine starts with what it had', async () => {
      const { space, spec, ref } = await machine()
      await sh(ref, 'echo kept > /data/kept')
      await driver.stop(ref)
      await until(async () => (await stateOf(space.id, spec.id))?.state === 'stopped')
      await expect(driver.exec(ref, { command: ['true'], tty: false })).rejects.toMatchObject({ failure: 'stopped' })
      await driver.deploy(space, spec)
      await until(async () => (await stateOf(space.id, spec.id))?.state === 'running')
      expect((await sh(ref, 'cat /data/kept')).output).toBe('kept')
    })

    it('what is suspended stops, and comes back as it was', async () => {
      const { space, spec, ref } = await machine()
      await sh(ref, 'echo kept > /data/kept; echo changed > /root/changed')
      await driver.suspendWorkspace(space.id)
      await driver.suspendWorkspace(space.id)
      expect((await driver.list(space.id)).filter(({ state }) => state === 'running')).toEqual([])
      await driver.createWorkspace(space)
      await driver.deploy(space, spec)
      await until(async () => (await stateOf(space.id, spec.id))?.state === 'running')
      expect((await sh(ref, 'cat /data/kept')).output).toBe('kept')
      if (driver.kind === 'engine') expect((await sh(ref, 'cat /root/changed')).output).toBe('changed')
    })

    it('what was suspended and is removed leaves nothing', async () => {
      const { space } = await machine()
      await driver.suspendWorkspace(space.id)
      expect(await driver.listWorkspaces()).toContain(space.id)
      await driver.removeWorkspace(space.id)
      expect(await driver.listWorkspaces()).not.toContain(space.id)
      expect(opened.leftOf?.(space.id) ?? []).toEqual([])
    })

    it('everything may be asked twice', async () => {
      const { space, spec, ref } = await machine()
      await driver.createWorkspace(space)
      await Promise.all([driver.deploy(space, spec), driver.deploy(space, spec)])
      expect(await driver.list(space.id)).toHaveLength(1)
      await driver.stop(ref)
      await driver.stop(ref)
      await driver.remove(ref)
      await driver.remove(ref)
      await driver.removeWorkspace(space.id)
      await driver.removeWorkspace(space.id)
      expect(await driver.listWorkspaces()).not.toContain(space.id)
    })

    it('after a restart of the server all is found again', async () => {
      const { space, ref } = await machine()
      const other = opened.again()
      await other.probe()
      expect(await other.listWorkspaces()).toContain(space.id)
      expect((await other.list(space.id)).map(({ workload: id, state }) => [id, state])).toEqual([
        [ref.workload, 'running'],
      ])
      const run = await other.exec(ref, { command: ['/bin/sh', '-c', 'echo again'], tty: false })
      let output = ''
      for await (const chunk of run.stream) output += chunk
      expect(output.trim()).toBe('again')
      await other.close()
    })

    driverRefusals({
      driver: () => driver,
      opened: () => opened,
      ...{ size, workspace, workload, machine, stateOf, sh },
    })
  })
}
