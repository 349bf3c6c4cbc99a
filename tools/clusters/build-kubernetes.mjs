// Builds a Kubernetes API server, controller manager, scheduler and kubelet from Debian's source package, for the tests of the
// Kubernetes driver. Takes about 15 minutes on two cores, once. The programs are written to .cache/kubernetes/bin.
// Needs Debian 12 and root; installs Go 1.19, etcd, containerd and runc. Does not change the system's package lists.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, root, ToolError } from '../build.mjs'

const folder = join(root, '.cache', 'kubernetes')
const source = join(folder, 'source')
export const binaries = join(folder, 'bin')
const PROGRAMS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet']
const PACKAGES = [
  'golang-1.19-go',
  'etcd-server',
  'containerd',
  'runc',
  'dpkg-dev',
  'rsync',
  'iproute2',
  'iptables',
  'busybox-static',
  'containernetworking-plugins',
  'openssl',
  'podman',
]
const MIRROR = process.env.TIDENET_DEBIAN_MIRROR ?? 'http://deb.debian.org/debian'
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** Marks programs that were built with the patch below. */
const PATCHED = join(binaries, 'corrected-1')

/** Builds missing programs. @throws ToolError */
export function buildKubernetes() {
  const missing = PROGRAMS.filter((name) => !existsSync(PATCHED) || !existsSync(join(binaries, name)))
  if (missing.length === 0) return
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new ToolError('Building Kubernetes needs Debian and root.')
  fetchSource()
  patchReflect2()
  run('apt-get', ['-qq', '-y', 'install', '--no-install-recommends', ...PACKAGES])
  mkdirSync(binaries, { recursive: true })
  const workspace = join(source, '.go/src/k8s.io')
  mkdirSync(workspace, { recursive: true })
  if (!existsSync(join(workspace, 'kubernetes'))) symlinkSync('../../..', join(workspace, 'kubernetes'))
  const env = {
    ...process.env,
    PATH: `/usr/lib/go-1.19/bin:${process.env.PATH}`,
    GOPATH: join(source, '.go'),
    GOCACHE: join(folder, 'go-cache'),
    CGO_ENABLED: '0',
    GOFLAGS: '-mod=vendor',
    GOPROXY: 'off',
    KUBE_GIT_VERSION: 'v1.20.2',
    KUBE_GIT_TREE_STATE: 'clean',
  }
  for (const name of missing) {
    run('make', [`WHAT=cmd/${name}`], { cwd: source, env })
    run('cp', [join(source, '_output/bin', name), join(binaries, name)])
  }
  writeFileSync(PATCHED, '')
  rmSync(source, { recursive: true, force: true })
  rmSync(join(folder, 'go-cache'), { recursive: true, force: true })
}

/** Debian 12's source package includes all dependencies; later ones contain only kubectl. */
function fetchSource() {
  if (existsSync(join(source, 'Makefile'))) return
  const apt = join(folder, 'apt')
  for (const path of ['etc', 'state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(apt, path), { recursive: true })
  writeFileSync(join(apt, 'etc/sources.list'), `deb-src [signed-by=${KEYS}] ${MIRROR} bookworm main\n`)
  const own = [
    `Dir::Etc::sourcelist=${apt}/etc/sources.list`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State=${apt}/state`,
    `Dir::Cache=${apt}/cache`,
    'Dir::State::status=/var/lib/dpkg/status',
  ].flatMap((setting) => ['-o', setting])
  run('apt-get', ['-qq', ...own, 'update'])
  run('apt-get', ['-qq', ...own, 'source', '--download-only', 'kubernetes'], { cwd: folder })
  run('apt-get', ['-qq', '-y', 'install', '--no-install-recommends', 'dpkg-dev'])
  const description = readdirSync(folder).find((name) => name.endsWith('.dsc'))
  if (!description) throw new ToolError('Debian has no source package of Kubernetes.')
  run('dpkg-source', ['-x', description, source], { cwd: folder })
}

/** Applies the fix of reflect2 1.0.2: earlier versions corrupt memory since Go 1.18, and the API server crashes after a minute. */
function patchReflect2() {
  const folder = join(source, 'vendor/github.com/modern-go/reflect2')
  const change = (name, changes) => {
    let text = readFileSync(join(folder, name), 'utf8')
    for (const [before, after] of changes) {
      if (text.includes(after)) continue
      if (!text.includes(before)) throw new ToolError(`${name} of reflect2 does not contain the expected code.`)
      text = text.replace(before, after)
    }
    writeFileSync(join(folder, name), text)
  }
  change('unsafe_link.go', [
    [
      'func mapiterinit(rtype unsafe.Pointer, m unsafe.Pointer) *hiter',
      'func mapiterinit(rtype unsafe.Pointer, m unsafe.Pointer, it *hiter)',
    ],
    [
      '\tvalue unsafe.Pointer // Must be in second position (see cmd/internal/gc/range.go).\n',
      `\tvalue unsafe.Pointer
\tt, h, buckets, bptr unsafe.Pointer
\toverflow, oldoverflow *[]unsafe.Pointer
\tstartBucket uintptr
\toffset uint8
\twrapped bool
\tB, i uint8
\tbucket, checkBucket uintptr
`,
    ],
  ])
  change('unsafe_map.go', [
    [
      `\treturn &UnsafeMapIterator{
\t\thiter:      mapiterinit(type2.rtype, *(*unsafe.Pointer)(obj)),`,
      `\tvar it hiter
\tmapiterinit(type2.rtype, *(*unsafe.Pointer)(obj), &it)
\treturn &UnsafeMapIterator{
\t\thiter:      &it,`,
    ],
  ])
}

function run(command, args, options = {}) {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    ...options,
  })
  if (status !== 0) throw new ToolError(`${command} ${args.join(' ')} failed.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    buildKubernetes()
    console.log(`Kubernetes is in ${binaries}.`)
  } catch (error) {
    fail(error)
  }
}
