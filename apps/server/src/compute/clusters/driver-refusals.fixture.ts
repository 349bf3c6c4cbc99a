import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClusterDriver, Size, WorkloadRef, WorkloadSpec, WorkloadState, WorkspaceSpec } from './driver.ts'
import type { Opened } from './driver-suite.fixture.ts'

const MB = 1024 ** 2

/** What the tests of a cluster are made of. */
export interface Bench {
  driver(): ClusterDriver
  opened(): Opened
  size(more?: Partial<Size>): Size
  workspace(more?: Partial<Size>): Promise<WorkspaceSpec>
  workload(more?: Partial<WorkloadSpec>): WorkloadSpec
  /** One that runs, in a workspace of its own. */
  machine(more?: Partial<WorkloadSpec>): Promise<{ space: WorkspaceSpec; spec: WorkloadSpec; ref: WorkloadRef }>
  stateOf(space: string, id: string): Promise<WorkloadState | undefined>
  /** Runs a script in a workload; gives what it wrote and how it ended. */
  sh(ref: WorkloadRef, script: string): Promise<{ output: string; code: number }>
}

/** What every cluster refuses, and what its tenants do not reach. */
export function driverRefusals({ driver, opened, size, workspace, workload, machine, stateOf, sh }: Bench): void {
  describe('refuses', () => {
    it('more than the workspace has', async () => {
      const { space } = await machine()
      for (const more of [{ cpu: 0.1 }, { memory: 16 * MB }, { storage: 16 * MB }])
        await expect(
          driver().deploy(space, workload({ name: 'second', size: { ...size(), ...more } })),
        ).rejects.toMatchObject({ failure: 'full' })
      expect(await driver().list(space.id)).toHaveLength(1)
    })

    it('what it does not have', async () => {
      const space = await workspace()
      const ref = { workspace: space.id, workload: 'w-none' }
      for (const act of [
        () => driver().exec(ref, { command: ['true'], tty: false }),
        () => driver().logs(ref, { lines: 1 }),
        () => driver().usage(ref),
      ])
        await expect(act()).rejects.toMatchObject({ failure: 'unknown' })
    })

    it('a workload by the name of another workspace', async () => {
      const { ref } = await machine()
      const other = await workspace()
      const foreign = { ...ref, workspace: other.id }
      await expect(driver().exec(foreign, { command: ['true'], tty: false })).rejects.toMatchObject({
        failure: 'unknown',
      })
      await driver().remove(foreign)
      await expect(driver().stop(foreign)).rejects.toMatchObject({ failure: 'unknown' })
      expect((await stateOf(ref.workspace, ref.workload))?.state).toBe('running')
    })
  })

  describe('tenants do not reach', () => {
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

    const knock = (address: string, at: number | string) =>
      `nc -w 2 ${address} ${at} </dev/null >/dev/null 2>&1 && echo reached || echo closed`

    it('what this machine listens at, by any of its addresses', async () => {
      const { ref } = await machine()
      const gateway = (await sh(ref, "ip route | sed -n 's/^default via \\([0-9.]*\\).*/\\1/p'")).output
      const own = Object.values(networkInterfaces()).flatMap((addresses) =>
        (addresses ?? []).filter(({ family }) => family === 'IPv4').map(({ address }) => address),
      )
      const addresses = [...new Set([...(gateway ? [gateway] : []), ...own])].filter((each) => !each.startsWith('127.'))
      for (const address of addresses.slice(0, 4)) expect((await sh(ref, knock(address, port))).output).toBe('closed')
      expect(reached).toBe(0)
    })

    it('each other, while those of one workspace do', async ({ skip }) => {
      skip(opened().apart === false, 'nothing carries out the rules between workspaces here')
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
        expect((await sh(mine.ref, knock(theirs, 8080))).output).toBe('closed')
        expect((await sh(mine.ref, knock('other', 8080))).output).toBe('closed')
        await until(async () => (await sh(mine.ref, knock('web', 8080))).output === 'reached')
      }
      const { facts } = await driver().probe()
      expect(theirs === '').toBe(facts.network === 'none')
    })
  })
}

/** Looks until something is so. */
export async function until(is: () => Promise<boolean>, every = 100, within = 60_000): Promise<void> {
  for (const end = Date.now() + within; !(await is()); ) {
    if (Date.now() > end) throw new Error('it never came to be')
    await new Promise((resolve) => setTimeout(resolve, every))
  }
}
