import { expect, it } from 'vitest'
import { type Findings, judge } from './self-test.ts'

const good: Findings = {
  memory: '67108864',
  cpu: '50000',
  pids: '64',
  capabilities: '0000000000000000',
  privileges: '1',
  seccomp: '2',
  users: '0 0 4294967295',
  kernel: 'denied',
  namespaces: 'closed',
}

it.each<[string, Partial<Findings>, string]>([
  ['an engine of the first generation of cgroups', {}, 'ready'],
  ['one of the second', { cpu: '50000 100000' }, 'ready'],
  [
    'one that says it limits and does not',
    { memory: '9223372036854771712', cpu: '-1', pids: 'absent' },
    'limits-unenforced',
  ],
  ['one without a limit of processes', { pids: 'max' }, 'limits-unenforced'],
  ['one that lets write the settings of the kernel', { kernel: 'open' }, 'unsafe'],
  ['one that leaves capabilities', { capabilities: '00000000a80425fb' }, 'unsafe'],
  ['one without a filter of calls', { seccomp: '0' }, 'unsafe'],
  ['one that lets gain privileges', { privileges: '0' }, 'unsafe'],
])('%s', (_, found, state) => expect(judge({ ...good, ...found } as Findings).state).toBe(state))
