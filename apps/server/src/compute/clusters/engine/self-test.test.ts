import { expect, it } from 'vitest'
import { assess, type Findings } from './self-test.ts'

const good: Findings = {
  memory: '67108864',
  cpu: '50000',
  pids: '512',
  capabilities: '0000000000000000',
  privileges: '1',
  seccomp: '2',
  users: '0 0 4294967295',
  kernel: 'denied',
  namespaces: 'closed',
}

it.each<[string, Partial<Findings>, string]>([
  ['cgroups v1', {}, 'ready'],
  ['cgroups v2', { cpu: '50000 100000' }, 'ready'],
  ['limits that are not enforced', { memory: '9223372036854771712', cpu: '-1', pids: 'absent' }, 'limits-unenforced'],
  ['no process limit', { pids: 'max' }, 'limits-unenforced'],
  ['a kernel of its own', { kernel: 'own', namespaces: 'open' }, 'ready'],
  ['a kernel of its own, whose sandbox has no filter', { kernel: 'own', seccomp: '0' }, 'unsafe'],
  ['writable kernel settings', { kernel: 'open' }, 'unsafe'],
  ['remaining capabilities', { capabilities: '00000000a80425fb' }, 'unsafe'],
  ['no seccomp filter', { seccomp: '0' }, 'unsafe'],
  ['new privileges allowed', { privileges: '0' }, 'unsafe'],
])('an engine with %s is assessed', (_, found, state) =>
  expect(assess({ ...good, ...found } as Findings).state).toBe(state),
)
