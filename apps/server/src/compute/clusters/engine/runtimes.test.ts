import { expect, it } from 'vitest'
import { commandFor, type Machine, runtimesOf } from './runtimes.ts'

const machine = (programs: readonly string[], more: Partial<Machine> = {}): Machine => ({
  platform: 'linux',
  bothCgroups: false,
  has: (program) => programs.includes(program),
  ...more,
})
const HYBRID = { bothCgroups: true }

it('Podman is tested with its default runtime first, then with other installed ones', () => {
  expect(runtimesOf(machine(['crun']))).toEqual(['', 'crun'])
  expect(runtimesOf(machine([]))).toEqual([''])
})

it('with cgroups v1 and v2 mounted, Podman is tested with runtimes that support both', () => {
  expect(runtimesOf(machine(['crun', 'runc'], HYBRID))).toEqual(['runc', 'crun'])
  // A later version may support both.
  expect(runtimesOf(machine(['crun'], HYBRID))).toEqual(['crun'])
})

it.each<[string, Machine, string | undefined]>([
  ['Podman', machine(['apt-get']), 'apt-get install -y podman'],
  ['Podman, with cgroups v1 and v2', machine(['apt-get'], HYBRID), 'apt-get install -y podman runc'],
  ['a runtime for both cgroups', machine(['apt-get', 'podman', 'crun'], HYBRID), 'apt-get install -y runc'],
  ['any runtime', machine(['dnf', 'podman']), 'dnf install -y runc'],
])('the command installs what is missing: %s', (_, from, command) => {
  expect(commandFor(from)).toBe(command)
})

it('there is no command if nothing is missing or the package manager is unknown', () => {
  expect(commandFor(machine(['apt-get', 'podman', 'runc', 'crun'], HYBRID))).toBeUndefined()
  expect(commandFor(machine([]))).toBeUndefined()
  expect(commandFor(machine([], { platform: 'win32' }))).toBeUndefined()
})

it('a runtime that gives containers a kernel of their own is tested before all others', () => {
  expect(runtimesOf(machine(['crun', 'runsc']))).toEqual(['runsc', '', 'crun'])
  expect(runtimesOf(machine(['runsc', 'runc'], HYBRID))).toEqual(['runsc', 'runc'])
})
