import { expect, it } from 'vitest'
import { redactPaths } from './redact-paths.ts'

it.each([
  ['no such file: /srv/portal/clusters/disks/ws-1/w-1/0', 'no such file: …'],
  ['runc: "/var/lib/docker/overlay2/ab/merged/bin": denied', 'runc: "…": denied'],
  ['open /var/lib/kubelet/pods/x: gone', 'open …: gone'],
])('removes folders of the machine: %s', (text, shown) => expect(redactPaths(text)).toBe(shown))

it.each(['exec: "/usr/local/bin/start": not found', 'The image docker.io/library/containers:1 cannot be pulled.'])(
  'keeps what the customer named: %s',
  (text) => expect(redactPaths(text)).toBe(text),
)
