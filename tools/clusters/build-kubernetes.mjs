// Builds the programs of Kubernetes for tests from their pinned sources, with Go's module proxy; about six minutes of two cores, once.
// Needs Debian 12, root and Go 1.24 or newer; installs etcd, containerd, runc and a network plugin.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, root, ToolError } from '../build.mjs'

const VERSION = '1.34.4'
/** The hash of the sources, as Go computes it: the same version always has the same sources. */
const SUM = 'h1:Yy6R4QB8C9kJPp25GFqEvX5XQwY5qzKeqD0Xx6oAcmk='
const folder = join(root, '.cache', 'kubernetes', VERSION)
export const binaries = join(folder, 'bin')
const PROGRAMS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet']
const PACKAGES = [
  ...['etcd-server', 'containerd', 'runc', 'containernetworking-plugins', 'podman'],
  ...['iproute2', 'iptables', 'ipset', 'busybox-static', 'openssl', 'e2fsprogs'],
]

/** Enforces network policies. */
const ROUTER = 'v2.1.0'
const ROUTER_SUM = 'h1:xWsptKtmZ44L+NjwFKoFAFlVdxCz8fka9A/eYJe95Ok='
export const router = join(root, '.cache', 'kubernetes', `kube-router-${ROUTER}`)

/** Builds missing programs. @throws ToolError */
export function buildKubernetes() {
  buildPrograms()
  buildRouter()
}

function buildRouter() {
  if (existsSync(router)) return
  run('apt-get', ['-qq', '-y', 'install', '--no-install-recommends', ...PACKAGES])
  const name = `github.com/cloudnativelabs/kube-router/v2@${ROUTER}`
  const found = JSON.parse(go(['mod', 'download', '-json', name], 'pipe') || '{}')
  if (found.Sum !== ROUTER_SUM) throw new ToolError('The sources of kube-router are not the expected ones.')
  console.log(`Building kube-router ${ROUTER}.`)
  const args = ['build', '-trimpath', '-ldflags', '-s -w', '-o', router, './cmd/kube-router']
  go(args, 'inherit', { cwd: found.Dir, flags: '-mod=readonly' })
}

function buildPrograms() {
  const missing = PROGRAMS.filter((name) => !existsSync(join(binaries, name)))
  if (missing.length === 0) return
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new ToolError('Building Kubernetes needs Debian and root.')
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0)
    throw new ToolError('Building Kubernetes needs Go 1.24 or newer.')
  run('apt-get', ['-qq', '-y', 'install', '--no-install-recommends', ...PACKAGES])
  console.log(`Building Kubernetes ${VERSION}, which takes about ten minutes.`)
  mkdirSync(binaries, { recursive: true })
  writeModule()
  const flags = `-s -w -X k8s.io/component-base/version.gitVersion=v${VERSION}`
  go([
    'build',
    '-trimpath',
    '-ldflags',
    flags,
    '-o',
    `${binaries}/`,
    ...missing.map((name) => `k8s.io/kubernetes/cmd/${name}`),
  ])
}

/** A module around Kubernetes: its parts are published by themselves, and its own module names them by folders that are not published. */
function writeModule() {
  writeFileSync(join(folder, 'go.mod'), 'module tidenet/kubernetes\n')
  const found = JSON.parse(go(['mod', 'download', '-json', `k8s.io/kubernetes@v${VERSION}`], 'pipe') || '{}')
  if (found.Sum !== SUM) throw new ToolError('The sources of Kubernetes are not the expected ones.')
  const own = readFileSync(found.GoMod, 'utf8')
  const parts = [...own.matchAll(/^\s+(\S+) => \.\/staging\//gm)].map(([, name]) => name)
  writeFileSync(
    join(folder, 'go.mod'),
    [
      ...['module tidenet/kubernetes', /^go .+$/m.exec(own)[0], /^godebug .+$/m.exec(own)?.[0] ?? ''],
      `require k8s.io/kubernetes v${VERSION}`,
      ...parts.map((name) => `replace ${name} => ${name} v0${VERSION.slice(1)}`),
      ...['tool (', ...PROGRAMS.map((name) => `k8s.io/kubernetes/cmd/${name}`), ')', ''],
    ].join('\n'),
  )
  go(['mod', 'tidy'])
}

/** Other work of the machine goes first. */
const go = (args, output = 'inherit', { cwd = folder, flags = '-mod=mod' } = {}) =>
  run('nice', ['-n', '10', 'go', ...args], {
    cwd,
    stdio: ['ignore', output, 'inherit'],
    encoding: 'utf8',
    env: { ...process.env, GOFLAGS: flags, CGO_ENABLED: '0' },
  })

function run(command, args, options = {}) {
  const { status, stdout } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    ...options,
  })
  if (status !== 0) throw new ToolError(`${command} ${args.join(' ')} failed.`)
  return stdout
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    buildKubernetes()
    console.log(`Kubernetes is in ${binaries}.`)
  } catch (error) {
    fail(error)
  }
}
