import { expect, it } from 'vitest'
import { candidates, type Host } from './candidates.ts'

const host = (more: Partial<Host> = {}): Host => ({
  env: {},
  home: '/home/a',
  platform: 'linux',
  read: () => undefined,
  names: () => [],
  runtimes: [''],
  ...more,
})

const paths = (found: ReturnType<typeof candidates>) =>
  found.map((one) => (one.kind === 'socket' ? one.path : `${one.kind}`))

it('searches the usual sockets, and Podman last', () => {
  const found = paths(candidates('', host({ env: { XDG_RUNTIME_DIR: '/run/user/7' } })))
  expect(found[0]).toBe('/var/run/docker.sock')
  expect(found).toContain('/run/user/7/podman/podman.sock')
  expect(found.at(-1)).toBe('podman')
})

it('searches DOCKER_HOST first, and each socket once', () => {
  const found = paths(candidates('', host({ env: { DOCKER_HOST: 'unix:///run/podman/podman.sock' } })))
  expect(found[0]).toBe('/run/podman/podman.sock')
  expect(found.filter((path) => path === '/run/podman/podman.sock')).toHaveLength(1)
})

it('searches the current docker context', () => {
  const files: Record<string, string> = {
    '/home/a/.docker/config.json': '{"currentContext":"colima"}',
    '/home/a/.docker/contexts/meta/1/meta.json': '{"Name":"other","Endpoints":{"docker":{"Host":"unix:///other"}}}',
    '/home/a/.docker/contexts/meta/2/meta.json': '{"Name":"colima","Endpoints":{"docker":{"Host":"unix:///colima"}}}',
  }
  const found = candidates('', host({ read: (path) => files[path], names: () => ['1', '2'] }))
  expect(paths(found)[0]).toBe('/colima')
})

it('searches only the setting if there is one', () => {
  expect(paths(candidates('unix:///mine', host({ env: { DOCKER_HOST: 'unix:///x' } })))).toEqual(['/mine'])
  expect(candidates('tcp://10.0.0.7:2375', host())).toEqual([
    { what: 'setting tcp://10.0.0.7:2375', kind: 'tcp', host: '10.0.0.7', port: 2375 },
  ])
})

it.each(['tcp://10.0.0.7:2375', 'ssh://somebody@elsewhere'])(
  'does not use a remote engine from DOCKER_HOST: %s',
  (address) => {
    expect(candidates('', host({ env: { DOCKER_HOST: address } }))[0]?.kind).toBe('refused')
  },
)

it('reports a missing docker context', () => {
  expect(candidates('', host({ env: { DOCKER_CONTEXT: 'gone' } }))[0]?.kind).toBe('refused')
})

it('tries Podman with every installed runtime', () => {
  const found = candidates('', host({ runtimes: ['runc', 'crun'] })).slice(-2)
  expect(found.map((one) => one.kind === 'podman' && one.runtime)).toEqual(['runc', 'crun'])
  expect(candidates('podman', host({ runtimes: ['runc', 'crun'] }))).toHaveLength(2)
})
