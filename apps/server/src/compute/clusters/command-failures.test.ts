import { expect, it } from 'vitest'
import { isCommandFailure } from './command-failures.ts'

/** What Podman, Docker and containerd say. */
it.each([
  'no command or entrypoint provided, and no CMD or ENTRYPOINT from image',
  'no command specified',
  'failed to generate container "a" spec: no command specified',
  'crun: executable file `/missing` not found in $PATH: No such file or directory: OCI runtime attempted to invoke a command that was not found',
  'runc create failed: unable to start container process: exec: "serve": executable file not found in $PATH: unknown',
  'runc create failed: unable to start container process: exec: "/serve": stat /serve: no such file or directory: unknown',
  'runc create failed: unable to start container process: exec: "/etc": is a directory: unknown',
  'exec /usr/bin/serve: exec format error',
])('is because of the command: %s', (message) => expect(isCommandFailure(message)).toBe(true))

it.each([
  'no space left on device',
  'stat /var/lib/disks/a: no such file or directory',
  'network not found',
  'manifest unknown',
])('has another cause: %s', (message) => expect(isCommandFailure(message)).toBe(false))
