import { existsSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ClusterDriver,
  type Size,
  specHashOf,
  type WorkloadRef,
  type WorkloadSpec,
  type WorkspaceSpec,
} from './driver.ts'
import { driverRefusals } from './driver-refusals.fixture.ts'
import {
  findState,
  MB,
  runScript,
  sampleWorkspace,
  sampleSize as size,
  until,
  untilRunning,
  sampleWorkload as workload,
} from './sample-workloads.fixture.ts'
import { tarOf } from './tar.ts'

export interface Opened {
  driver: ClusterDriver
  /** Another driver for the same cluster and installation, as after a restart of the server. */
  reopen(): ClusterDriver
  /** What a removed workspace left on this machine. */
  leftoversOf?(workspace: string): string[]
  /** Whether disks can be enlarged, which not every storage class supports; default true. */
  canEnlargeDisks?: boolean
  /** Whether workloads of a workspace find each other by name; default true. */
  resolvesNames?: boolean
  /** Whether network policies are enforced, which not every cluster network does; default true. */
  isolatesNetworks?: boolean
  close(): Promise<void>
}

/**
 * Tests of every driver, on a real cluster. Every test has a workspace of its own.
 * @param open returns a driver that is ready
 * @param concurrent whether tests run at the same time
 */
export function driverSuite(name: string, open: () => Promise<Opened>, concurrent: boolean): void {
  describe(name, { timeout: 120_000, concurrent }, () => {
    let opened: Opened
    let driver: ClusterDriver
    const created: string[] = []

    beforeAll(async () => {
      opened = await open()
      driver = opened.driver
    }, 180_000)
    afterAll(async () => {
      await Promise.allSettled(created.map((id) => driver.removeWorkspace(id)))
      await opened?.close()
    }, 180_000)

    async function workspace(more: Partial<Size> = {}) {
      const spec = sampleWorkspace(more)
      created.push(spec.id)
      await driver.createWorkspace(spec)
      return spec
    }

    async function machine(more: Partial<WorkloadSpec> = {}) {
      const space = await workspace(more.size)
      const spec = workload(more)
      const ref = { workspace: space.id, workload: spec.id }
      await driver.deploy(space, spec)
      await untilRunning(driver, ref)
      return { space, spec, ref }
    }

    const sh = (ref: WorkloadRef, script: string) => runScript(driver, ref, script)
    /** A sandbox ends with what it cannot hold. The server then starts the program again, as it is deployed. */
    const untilUsable = ({ space, spec, ref }: { space: WorkspaceSpec; spec: WorkloadSpec; ref: WorkloadRef }) =>
      until(async () => {
        if (await hasOwnKernel()) await driver.deploy(space, spec)
        return sh(ref, 'echo here').then(
          ({ output }) => output === 'here',
          () => false,
        )
      })
    const hasOwnKernel = async () => (await driver.probe()).facts.kernel === 'own'

    it('is ready and reports whether disk sizes are enforced', async () => {
      const { state, facts } = await driver.probe()
      expect(state).toBe('ready')
      expect(facts.storage).toMatch(/^(enforced|metered)/)
    })

    it('runs a machine and a program in it', async () => {
      const { ref } = await machine({ env: { GREETING: 'hello' } })
      expect(await sh(ref, 'echo $GREETING; exit 7')).toEqual({ output: 'hello', code: 7 })
    })

    it('passes input to a program', async () => {
      const { ref } = await machine()
      const run = await driver.exec(ref, { command: ['/bin/sh', '-c', 'read line; echo "got $line"'], tty: false })
      run.stream.write('words\n')
      let output = ''
      for await (const chunk of run.stream) output += chunk
      expect(output).toContain('got words')
      expect(await run.exit).toBe(0)
    })

    it('keeps the outputs of a program apart, and tells it the end of its input', async () => {
      const { ref } = await machine()
      const command = ['/bin/sh', '-c', 'echo $TIDENET_TERMINAL >&2; wc -c; exit 6']
      const run = await driver.exec(ref, { command, tty: false, apart: true, mark: 'abc123' })
      const read = async (stream: Readable | undefined) => {
        let text = ''
        for await (const chunk of stream ?? []) text += chunk
        return text.trim()
      }
      const [output, errors] = [read(run.stream), read(run.errors)]
      run.stream.end(Buffer.alloc(300_000))
      expect(await Promise.all([output, errors])).toEqual(['300000', 'abc123'])
      expect(await run.exit).toBe(6)
    })

    it('sets and changes the size of a terminal', async () => {
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

    it('kills a program that exceeds the memory limit, while the machine keeps running', async () => {
      const made = await machine()
      const { code } = await sh(made.ref, 'dd if=/dev/zero of=/dev/null bs=200M count=1 2>/dev/null; exit $?')
      if (await hasOwnKernel()) expect(code).not.toBe(0)
      else expect(code).toBe(137)
      await untilUsable(made)
    })

    it('limits CPU usage', async () => {
      const { ref } = await machine()
      const before = await driver.usage(ref)
      const start = Date.now()
      await sh(
        ref,
        'end=$(($(date +%s) + 4)); while [ "$(date +%s)" -lt "$end" ]; do i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; done',
      )
      const after = await driver.usage(ref)
      const ratio = (after.cpuSeconds - before.cpuSeconds) / ((Date.now() - start) / 1000)
      // The lower bound depends on the load of this machine.
      expect(ratio).toBeGreaterThan(0)
      expect(ratio).toBeLessThan(0.65)
    })

    it('limits the number of processes', async () => {
      const made = await machine()
      const { ref } = made
      const { output } = await sh(
        ref,
        'i=0; while [ $i -lt 600 ]; do sleep 20 & i=$((i+1)); done 2>/dev/null; ls -d /proc/[0-9]* | wc -l',
      ).catch((error) => ({ output: error.failure }))
      // The machine keeps running, even if the script failed.
      if (output !== '' && Number.isFinite(Number(output))) expect(Number(output)).toBeLessThan(400)
      if (!(await hasOwnKernel())) expect((await findState(driver, ref))?.state).toBe('running')
      await untilUsable(made)
    })

    it('denies access to kernel settings and to the host', async () => {
      const { ref } = await machine()
      const isOwn = await hasOwnKernel()
      // With a kernel of its own, these are settings and mounts of that kernel.
      const shared = [
        '(exec 3>>/proc/sys/kernel/core_pattern) 2>/dev/null',
        '(exec 3>>/proc/sys/vm/panic_on_oom) 2>/dev/null',
        'unshare -r true 2>/dev/null && mount -t proc none /mnt 2>/dev/null',
        'dmesg >/dev/null 2>&1',
        '(exec 3>>/proc/sysrq-trigger) 2>/dev/null',
      ]
      const probes = [
        ...(isOwn ? [] : shared),
        'mount -t tmpfs none /mnt 2>/dev/null',
        'mknod /tmp/disk b 7 0 2>/dev/null && head -c 1 /tmp/disk 2>/dev/null',
        'chroot /proc/1/root true 2>/dev/null && [ -e /proc/1/root/etc/hostname-of-the-host ]',
        'dd if=/dev/mem of=/dev/null count=1 2>/dev/null',
        'hostname elsewhere 2>/dev/null',
        ...((await driver.probe()).facts.namespaces === 'open' ? [] : ['unshare -U true 2>/dev/null']),
      ]
      for (const probe of probes) expect((await sh(ref, `${probe} && echo open || echo closed`)).output).toBe('closed')
      if (!isOwn) return
      const settings = '/proc/sys/kernel/core_pattern'
      const before = existsSync(settings) ? readFileSync(settings, 'utf8') : ''
      await sh(ref, `echo '|/data/evil' > ${settings} 2>/dev/null; true`)
      expect(existsSync(settings) ? readFileSync(settings, 'utf8') : '').toBe(before)
      expect((await sh(ref, 'uname -r')).output).not.toBe(release())
    })

    it('enforces or measures the size of a disk', async () => {
      const { ref } = await machine({ size: size({ memory: 128 * MB }) })
      const { storage } = (await findState(driver, ref)) ?? {}
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

    it('lets programs use ping', async () => {
      const { ref } = await machine()
      if (!(await hasOwnKernel()))
        expect((await sh(ref, 'cat /proc/sys/net/ipv4/ping_group_range')).output).toMatch(/^0\s+2147483647$/)
      if (driver.kind === 'engine' && (await driver.probe()).facts.network !== 'none')
        expect((await sh(ref, 'command -v ping >/dev/null || exit 0; ping -c 1 -W 2 127.0.0.1 >/dev/null')).code).toBe(
          0,
        )
    })

    it('keeps the disk when variables, ports or the command change', { tags: ['long'] }, async () => {
      const { space, spec, ref } = await machine({ env: { GREETING: 'hello' } })
      await sh(ref, 'echo kept > /data/kept')
      const before = (await findState(driver, ref))?.specHash
      const other = { ...spec, env: { GREETING: 'good morning' }, ports: [8080] }
      expect(before).toBe(specHashOf(spec))
      await driver.resize(space, other)
      await untilRunning(driver, ref)
      expect((await findState(driver, ref))?.specHash).toBe(specHashOf(other))
      expect((await sh(ref, 'echo $GREETING; cat /data/kept')).output).toBe('good morning\nkept')
      await driver.resize(space, { ...other, command: ['/bin/sh', '-c', 'echo another; sleep 300'] })
      await until(async () => (await driver.logs(ref, { lines: 10 })).some(({ text }) => text === 'another'))
      expect((await sh(ref, 'cat /data/kept')).output).toBe('kept')
    })

    it('measures usage', async () => {
      const { ref } = await machine()
      const before = await driver.usage(ref)
      await sh(ref, 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done')
      await until(async () => (await driver.usage(ref)).cpuSeconds > before.cpuSeconds)
      expect((await driver.usage(ref)).memory).toBeGreaterThan(0)
    })

    it('returns the output of a program as its log', async () => {
      const { ref } = await machine({ command: ['/bin/sh', '-c', 'echo one; echo two >&2; sleep 300'] })
      await until(async () => (await driver.logs(ref, { lines: 10 })).length === 2)
      const lines = await driver.logs(ref, { lines: 10 })
      expect(lines.map(({ text }) => text).sort()).toEqual(['one', 'two'])
      expect(Math.abs((lines[0]?.at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
      expect(await driver.logs(ref, { lines: 1 })).toHaveLength(1)
      // From a time on, whole seconds included.
      const since = lines[1]?.at ?? new Date()
      expect((await driver.logs(ref, { since })).map(({ text }) => text)).toContain(lines[1]?.text)
      expect(await driver.logs(ref, { since: new Date(since.getTime() + 60_000) })).toEqual([])
    })

    it('reports a failed program with its exit code', async () => {
      const space = await workspace()
      const spec = workload({ command: ['/bin/sh', '-c', 'exit 4'] })
      const ref = { workspace: space.id, workload: spec.id }
      await driver.deploy(space, spec)
      await until(async () => ['failed', 'starting'].includes((await findState(driver, ref))?.state ?? ''))
      await until(async () => (await findState(driver, ref))?.exitCode === 4)
    })

    it('copies files into a workload', async () => {
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

    it('does not report an interrupted source of files as a cluster failure', async () => {
      const { ref } = await machine()
      async function* interrupted() {
        yield Buffer.from('the beginning')
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
      }
      const file = { kind: 'file', path: 'data/interrupted', size: 1000, content: interrupted() } as const
      await expect(driver.copyIn(ref, tarOf([file]))).rejects.toMatchObject({ failure: 'failed' })
    })

    it('keeps all data when the size changes', { tags: ['long'] }, async () => {
      const { space, spec, ref } = await machine({ size: size({ memory: 128 * MB, cpu: 1, storage: 128 * MB }) })
      await sh(ref, 'echo kept > /data/kept; echo changed > /root/changed')
      const storage = opened.canEnlargeDisks === false ? 128 * MB : 192 * MB
      const bigger = { ...space, size: size({ memory: 256 * MB, cpu: 1.5, storage }) }
      await driver.createWorkspace(bigger)
      await driver.resize(bigger, { ...spec, size: bigger.size })
      await untilRunning(driver, ref)
      expect((await findState(driver, ref))?.size).toEqual(bigger.size)
      expect((await sh(ref, 'cat /data/kept')).output).toBe('kept')
      if (driver.kind === 'engine') expect((await sh(ref, 'cat /root/changed')).output).toBe('changed')
      const { code } = await sh(ref, 'dd if=/dev/zero of=/dev/null bs=170M count=1 2>/dev/null; exit $?')
      expect(code).toBe(0)
    })

    it('starts a stopped machine with its data', { tags: ['long'] }, async () => {
      const { space, spec, ref } = await machine()
      await sh(ref, 'echo kept > /data/kept')
      await driver.stop(ref)
      await until(async () => (await findState(driver, ref))?.state === 'stopped')
      await expect(driver.exec(ref, { command: ['true'], tty: false })).rejects.toMatchObject({ failure: 'stopped' })
      await driver.deploy(space, spec)
      await untilRunning(driver, ref)
      expect((await sh(ref, 'cat /data/kept')).output).toBe('kept')
    })

    it('stops a suspended workspace and restores it with its data', async () => {
      const { space, spec, ref } = await machine()
      await sh(ref, 'echo kept > /data/kept; echo changed > /root/changed')
      await driver.suspendWorkspace(space.id)
      await driver.suspendWorkspace(space.id)
      expect((await driver.list(space.id)).filter(({ state }) => state === 'running')).toEqual([])
      await driver.createWorkspace(space)
      await driver.deploy(space, spec)
      await untilRunning(driver, ref)
      expect((await sh(ref, 'cat /data/kept')).output).toBe('kept')
      if (driver.kind === 'engine') expect((await sh(ref, 'cat /root/changed')).output).toBe('changed')
    })

    it('removes a suspended workspace completely', async () => {
      const { space } = await machine()
      await driver.suspendWorkspace(space.id)
      expect(await driver.listWorkspaces()).toContain(space.id)
      await driver.removeWorkspace(space.id)
      expect(await driver.listWorkspaces()).not.toContain(space.id)
      expect(opened.leftoversOf?.(space.id) ?? []).toEqual([])
    })

    it('is idempotent', async () => {
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

    it('finds all workspaces again after a restart of the server', async () => {
      const { space, ref } = await machine()
      const other = opened.reopen()
      await other.probe()
      expect(await other.listWorkspaces()).toContain(space.id)
      expect((await other.list(space.id)).map(({ workload: id, state }) => [id, state])).toEqual([
        [ref.workload, 'running'],
      ])
      expect((await runScript(other, ref, 'echo again')).output).toBe('again')
      await other.close()
    })

    driverRefusals({ driver: () => driver, opened: () => opened, workspace, machine })
  })
}
