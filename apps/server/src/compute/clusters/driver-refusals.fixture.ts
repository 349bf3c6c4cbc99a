import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClusterDriver, Size, WorkloadRef, WorkloadSpec, WorkspaceSpec } from './driver.ts'
import type { Opened } from './driver-suite.fixture.ts'
import {
  findState,
  GATEWAY,
  MB,
  runScript,
  sampleSize as size,
  until,
  sampleWorkload as workload,
} from './sample-workloads.fixture.ts'

interface Refusals {
  driver(): ClusterDriver
  opened(): Opened
  workspace(more?: Partial<Size>): Promise<WorkspaceSpec>
  /** A running workload in a workspace of its own. */
  machine(more?: Partial<WorkloadSpec>): Promise<{ space: WorkspaceSpec; spec: WorkloadSpec; ref: WorkloadRef }>
}

/** What every driver refuses, and what tenants cannot reach. */
export function driverRefusals({ driver, opened, workspace, machine }: Refusals): void {
  const sh = (ref: WorkloadRef, script: string) => runScript(driver(), ref, script)

  describe('refuses', () => {
    it('more resources than the workspace has', async () => {
      const { space } = await machine()
      for (const more of [{ cpu: 0.1 }, { memory: 16 * MB }, { storage: 16 * MB }])
        await expect(
          driver().deploy(space, workload({ name: 'second', size: { ...size(), ...more } })),
        ).rejects.toMatchObject({ failure: 'full' })
      expect(await driver().list(space.id)).toHaveLength(1)
    })

    it('unknown workloads', async () => {
      const space = await workspace()
      const ref = { workspace: space.id, workload: 'w-none' }
      for (const act of [
        () => driver().exec(ref, { command: ['true'], tty: false }),
        () => driver().logs(ref, { lines: 1 }),
        () => driver().usage(ref),
      ])
        await expect(act()).rejects.toMatchObject({ failure: 'unknown' })
    })

    it('a workload of another workspace', async () => {
      const { ref } = await machine()
      const other = await workspace()
      const foreign = { ...ref, workspace: other.id }
      await expect(driver().exec(foreign, { command: ['true'], tty: false })).rejects.toMatchObject({
        failure: 'unknown',
      })
      await driver().remove(foreign)
      await expect(driver().stop(foreign)).rejects.toMatchObject({ failure: 'unknown' })
      expect((await findState(driver(), ref))?.state).toBe('running')
    })
  })

  describe('tenants cannot reach', () => {
    let listener: Server
    let reached = 0
    let port = 0
    beforeAll(async () => {
      listener = createServer((socket) => {
        reached += 1
        socket.destroy()
      })
      await new Promise<void>((resolve) => listener.listen(0, '0.0.0.0', resolve))
      port = (listener.address() as { port: number }).port
    })
    afterAll(() => new Promise((resolve) => listener.close(resolve)))

    const tryConnect = async (ref: WorkloadRef, address: string, at: number) =>
      (await sh(ref, `nc -w 2 ${address} ${at} </dev/null >/dev/null 2>&1 && echo reached || echo closed`)).output

    it('ports of this machine, at any of its addresses', async () => {
      const { ref } = await machine()
      const gateway = (await sh(ref, GATEWAY)).output
      const own = Object.values(networkInterfaces()).flatMap((addresses) =>
        (addresses ?? []).filter(({ family }) => family === 'IPv4').map(({ address }) => address),
      )
      const addresses = [...new Set([...(gateway ? [gateway] : []), ...own])].filter((each) => !each.startsWith('127.'))
      const tried = addresses.slice(0, 4)
      const results = await Promise.all(tried.map((address) => tryConnect(ref, address, port)))
      expect(results).toEqual(tried.map(() => 'closed'))
      expect(reached).toBe(0)
    })

    it('other workspaces, but other workloads of their own', async ({ skip }) => {
      skip(opened().isolatesNetworks === false, 'this cluster does not enforce network policies')
      const listening = { command: ['/bin/sh', '-c', 'while :; do echo hello | nc -l -p 8080; done'], ports: [8080] }
      const space = await workspace({ cpu: 1, memory: 128 * MB, storage: 128 * MB })
      const [first, second] = [workload(), workload({ name: 'web', ...listening })]
      await driver().deploy(space, first)
      await driver().deploy(space, second)
      await until(async () => (await driver().list(space.id)).every(({ state }) => state === 'running'))
      const mine = { ref: { workspace: space.id, workload: first.id } }
      const victim = await machine({ name: 'other', ...listening })
      const address = async (ref: typeof victim.ref) =>
        (await sh(ref, "ip -4 addr show dev eth0 2>/dev/null | sed -n 's/.*inet \\([0-9.]*\\).*/\\1/p'")).output
      const theirs = await address(victim.ref)
      if (theirs !== '') {
        expect(await Promise.all([tryConnect(mine.ref, theirs, 8080), tryConnect(mine.ref, 'other', 8080)])).toEqual([
          'closed',
          'closed',
        ])
        const named = { workspace: space.id, workload: second.id }
        const web = opened().resolvesNames === false ? await address(named) : 'web'
        await until(async () => (await tryConnect(mine.ref, web, 8080)) === 'reached')
      }
      const { facts } = await driver().probe()
      expect(theirs === '').toBe(facts.network === 'none')
    })
  })
}
