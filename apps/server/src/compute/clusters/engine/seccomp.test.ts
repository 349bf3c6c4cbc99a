import { expect, it } from 'vitest'
import { closedFilter, type Filter } from './seccomp.ts'

const usual: Filter = {
  defaultAction: 'SCMP_ACT_ERRNO',
  syscalls: [
    { names: ['read', 'clone', 'clone3', 'keyctl', 'unshare', 'mount'], action: 'SCMP_ACT_ALLOW' },
    { names: ['setns'], action: 'SCMP_ACT_ALLOW', includes: { caps: ['CAP_SYS_ADMIN'] } },
  ],
}
const allowed = ({ syscalls }: Filter) =>
  syscalls.filter(({ action }) => action === 'SCMP_ACT_ALLOW').flatMap(({ names }) => names)

it('keeps the calls that programs need', () => expect(allowed(closedFilter(usual))).toEqual(['read', 'clone']))

it('allows starting programs, but not in a new namespace', () => {
  const { args } = closedFilter(usual).syscalls.find(({ names }) => names.includes('clone')) ?? {}
  const [{ value = 0, valueTwo = -1 } = {}] = args ?? []
  const passes = (flags: number) => (flags & value) === valueTwo
  const SIGCHLD = 17
  expect(passes(SIGCHLD)).toBe(true)
  for (const namespace of [0x1000_0000, 0x0002_0000, 0x4000_0000, 0x2000_0000])
    expect(passes(namespace + SIGCHLD)).toBe(false)
})

it('keeps the rest of the profile', () =>
  expect(closedFilter({ defaultAction: 'x', syscalls: [] }).defaultAction).toBe('x'))
