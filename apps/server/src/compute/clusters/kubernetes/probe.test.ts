import { expect, it } from 'vitest'
import { assess } from './probe.ts'

const NODE = '6.1.0'
const good = {
  memory: String(64 * 1024 ** 2),
  cpu: '20000',
  release: NODE,
  capabilities: '0000000000000400',
  privileges: '1',
  seccomp: '2',
  disk: 'yes',
  kernel: 'denied',
}

it.each<[string, Partial<Record<keyof typeof good, string>>, string, string]>([
  ['cgroups v1', {}, 'ready', 'shared'],
  ['cgroups v2', { cpu: '20000 100000' }, 'ready', 'shared'],
  ['a kernel of its own', { release: '4.19.0-gvisor', seccomp: '0', kernel: 'open', memory: 'absent' }, 'ready', 'own'],
  ['no limit of memory', { memory: 'max' }, 'limits-unenforced', 'shared'],
  ['a disk that it cannot write to', { disk: 'no' }, 'absent', 'shared'],
  ['writable settings of the node', { kernel: 'open' }, 'unsafe', 'shared'],
  ['rights of an administrator', { capabilities: '0000000000200000' }, 'unsafe', 'shared'],
  ['new privileges', { privileges: '0' }, 'unsafe', 'shared'],
  ['no seccomp filter', { seccomp: '0' }, 'unsafe', 'shared'],
])('a pod with %s is assessed', (_, found, state, kernel) =>
  expect(assess({ ...good, ...found }, NODE)).toMatchObject({ state, facts: { kernel } }),
)
