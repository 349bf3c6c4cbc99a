import { expect, it } from 'vitest'
import { candidates, type Surroundings } from './candidates.ts'

const around = (more: Partial<Surroundings> = {}): Surroundings => ({
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

it('looks where engines put their sockets, and at Podman last', () => {
  const found = paths(candidates('', around({ env: { XDG_RUNTIME_DIR: '/run/user/7' } })))
  expect(found[0]).toBe('/var/run/docker.sock')
  expect(found).toContain('/run/user/7/podman/podman.sock')
  expect(found.at(-1)).toBe('podman')
})

it('DOCKER_HOST comes first, each place once', () => {
  const found = paths(candidates('', around({ env: { DOCKER_HOST: 'unix:///run/podman/podman.sock' } })))
  expect(found[0]).toBe('/run/podman/podman.sock')
  expect(found.filter((path) => path === '/run/podman/podman.sock')).toHaveLength(1)
})

it('the current docker context is looked at', () => {
  const files: Record<string, string> = {
    '/home/a/.docker/config.json': '{"currentContext":"colima"}',
    '/home/a/.docker/contexts/meta/1/meta.json': '{"Name":"other","Endpoints":{"docker":{"Host":"unix:///other"}}}',
    '/home/a/.docker/contexts/meta/2/meta.json': '{"Name":"colima","Endpoints":{"docker":{"Host":"unix:///colima"}}}',
  }
  const found = candidates('', around({ read: (path) => files[path], names: () => ['1', '2'] }))
  expect(paths(found)[0]).toBe('/colima')
})

it('a setting is the only place', () => {
  expect(paths(candidates('unix:///mine', around({ env: { DOCKER_HOST: 'unix:///x' } })))).toEqual(['/mine'])
  expect(candidates('tcp://10.0.0.7:2375', around())).toEqual([
    { what: 'setting tcp://10.0.0.7:2375', kind: 'tcp', host: '10.0.0.7', port: 2375 },
  ])
})

it.each(['tcp://10.0.0.7:2375', 'ssh://somebody@elsewhere'])('an engine elsewhere is not used unasked: %s', (host) => {
  expect(candidates('', around({ env: { DOCKER_HOST: host } }))[0]?.kind).toBe('refused')
})

it('a context that is not there is told', () => {
  expect(candidates('', around({ env: { DOCKER_CONTEXT: 'gone' } }))[0]?.kind).toBe('refused')
})

it('Podman is tried with every runtime that may do', () => {
  const found = candidates('', around({ runtimes: ['runc', 'crun'] })).slice(-2)
  expect(found.map((one) => one.kind === 'podman' && one.runtime)).toEqual(['runc', 'crun'])
  expect(candidates('podman', around({ runtimes: ['runc', 'crun'] }))).toHaveLength(2)
})
