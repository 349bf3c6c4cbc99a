import { expect, it } from 'vitest'
import { withoutFolders } from './note.ts'

it.each([
  ['no such file: /srv/portal/clusters/disks/ws-1/w-1/0', 'no such file: …'],
  ['runc: "/var/lib/docker/overlay2/ab/merged/bin": denied', 'runc: "…": denied'],
  ['open /var/lib/kubelet/pods/x: gone', 'open …: gone'],
])('folders of the machine are left out: %s', (text, shown) => expect(withoutFolders(text)).toBe(shown))

it.each(['exec: "/usr/local/bin/start": not found', 'The image docker.io/library/containers:1 cannot be had.'])(
  'what its owner asked for is shown: %s',
  (text) => expect(withoutFolders(text)).toBe(text),
)
