// Starts a Kubernetes cluster with one node in its own namespaces, and runs a command against it:
//   node tools/clusters/kubernetes.mjs npx vitest run --project clusters kubernetes
// The command gets TIDENET_TEST_KUBECONFIG and TIDENET_TEST_KUBERNETES_IMAGE. Without a command, the cluster runs until Ctrl-C.
// The machine is not changed: the network is a namespace, and the kernel settings that a kubelet writes are bind-mounted files.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ToolError } from '../build.mjs'
import { usage } from '../usage.mjs'
import { binaries, buildKubernetes, router } from './build-kubernetes.mjs'

usage('npm run kubernetes: starts a Kubernetes cluster and runs the given command against it.')

const IMAGE = 'localhost/tidenet/machine:1'
const NODE = 'node-1'
const HOST_IP = '10.250.0.2'
const CLUSTER_IP = '10.250.0.1'
const POD_NETWORK = '10.251.0.0/16'
const IDLE_COMMAND = '/bin/sh -c "trap exit TERM; while :; do sleep 3600 & wait; done"'
/** Number of persistent volumes, 1 GiB each; the cluster has no provisioner. */
const DISKS = 60

/** Named network namespaces; those of pods remain here after the pods. */
const NETNS_FOLDER = '/run/netns'
const namesBefore = existsSync(NETNS_FOLDER) ? readdirSync(NETNS_FOLDER) : []
const folder = mkdtempSync(join(tmpdir(), 'tidenet-kubernetes-'))
const netns = `tnk${randomBytes(2).toString('hex')}`
const cgroup = netns
const path = (...names) => join(folder, ...names)
const token = randomBytes(16).toString('hex')

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options })
  if (status !== 0) throw new ToolError(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

const network = () => {
  run('ip', ['netns', 'add', netns])
  run('ip', ['link', 'add', `${netns}h`, 'type', 'veth', 'peer', 'name', `${netns}n`, 'netns', netns])
  run('ip', ['addr', 'add', `${HOST_IP}/30`, 'dev', `${netns}h`])
  run('ip', ['link', 'set', `${netns}h`, 'up'])
  const inside = (...args) => run('ip', ['-n', netns, ...args])
  inside('addr', 'add', `${CLUSTER_IP}/30`, 'dev', `${netns}n`)
  inside('link', 'set', `${netns}n`, 'up')
  inside('link', 'set', 'lo', 'up')
  // A kubelet needs a default route to find its address.
  inside('route', 'add', 'default', 'via', HOST_IP)
}

/** Builds an image of this machine's busybox, for pods and their sandboxes, so that no registry is needed. */
function image() {
  const root = path('rootfs')
  for (const name of ['bin', 'data', 'dev', 'etc', 'mnt', 'proc', 'root', 'run', 'sys', 'tmp'])
    mkdirSync(join(root, name), { recursive: true })
  run('cp', ['/bin/busybox', join(root, 'bin/busybox')])
  for (const name of run('/bin/busybox', ['--list'])
    .split('\n')
    .filter((each) => each && each !== 'busybox'))
    run('ln', ['-sf', 'busybox', join(root, 'bin', name)])
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
  const own = ['--root', path('podman'), '--runroot', path('podman-run')]
  run('tar', ['-C', root, '-cf', path('rootfs.tar'), '.'])
  run('podman', [...own, 'import', '--change', `CMD ${IDLE_COMMAND}`, path('rootfs.tar'), IMAGE])
  run('podman', [...own, 'save', '--format', 'docker-archive', '-o', path('image.tar'), IMAGE])
  spawnSync('umount', [path('podman/overlay')])
}

function files() {
  for (const name of ['etcd', 'certs', 'kubelet', 'containerd', 'containerd-run', 'cni', 'covers', 'registry'])
    mkdirSync(path(name), { recursive: true })
  writeFileSync(path('tokens.csv'), `${token},admin,admin,"system:masters"\n`)
  run('openssl', ['genrsa', '-out', path('sa.key'), '2048'])
  // Of a registry that tests start.
  run('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=registry'],
    ...['-addext', `subjectAltName=IP:${HOST_IP}`],
    ...['-keyout', path('registry', 'key.pem'), '-out', path('registry', 'cert.pem')],
  ])
  run('openssl', ['rsa', '-in', path('sa.key'), '-pubout', '-out', path('sa.pub')])
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: `https://${CLUSTER_IP}:6443`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    'current-context': 'test',
  }
  writeFileSync(path('kubeconfig'), JSON.stringify(kubeconfig))
  writeFileSync(
    path('cni', '10-bridge.conflist'),
    JSON.stringify({
      cniVersion: '0.4.0',
      name: 'pods',
      plugins: [
        {
          type: 'bridge',
          bridge: 'pods0',
          isGateway: true,
          ipMasq: false,
          ipam: { type: 'host-local', ranges: [[{ subnet: POD_NETWORK }]], dataDir: path('cni-data') },
        },
      ],
    }),
  )
  writeFileSync(
    path('containerd.toml'),
    `version = 2
root = "${path('containerd')}"
state = "${path('containerd-run')}"
oom_score = 0
[grpc]
address = "${path('containerd.sock')}"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "${IMAGE}"
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = "${path('cni')}"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
`,
  )
  writeFileSync(
    path('kubelet.yaml'),
    JSON.stringify({
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
      authorization: { mode: 'AlwaysAllow' },
      cgroupDriver: 'cgroupfs',
      cgroupRoot: `/${cgroup}`,
      cgroupsPerQOS: true,
      enforceNodeAllocatable: ['pods'],
      failSwapOn: false,
      makeIPTablesUtilChains: false,
      oomScoreAdj: 0,
      podPidsLimit: 256,
      volumeStatsAggPeriod: '1s',
      evictionHard: { 'nodefs.available': '1Mi', 'imagefs.available': '1Mi', 'memory.available': '100Mi' },
      imageGCHighThresholdPercent: 100,
      imageGCLowThresholdPercent: 99,
      resolvConf: path('resolv.conf'),
    }),
  )
  writeFileSync(path('resolv.conf'), '')
}

const children = []
/** Starts a program in the namespaces of the cluster; its output is written to a log file. */
function start(name, command, args) {
  const log = openSync(path(`${name}.log`), 'a')
  const enter = ['nsenter', `--net=/run/netns/${netns}`, `--mount=/proc/${spawner}/ns/mnt`]
  const [first, ...rest] = [...enter, command, ...args]
  const child = spawn(first, rest, { stdio: ['ignore', log, log], cwd: folder })
  child.on('exit', (code) => {
    if (existsSync(folder)) appendFileSync(path('ends.log'), `${name} ended with ${code}\n`)
  })
  children.push(child)
  return child
}

let spawner
/** Creates the mount namespace, in which the kernel settings that a kubelet writes are bind-mounted files. */
async function mountNamespace() {
  const covered = [
    'vm/overcommit_memory',
    'vm/panic_on_oom',
    'kernel/panic',
    'kernel/panic_on_oops',
    'kernel/keys/root_maxkeys',
    'kernel/keys/root_maxbytes',
  ]
  const wanted = ['1', '0', '10', '1', '1000000', '25000000']
  const lines = covered.map((name, index) => {
    const cover = path('covers', name.replaceAll('/', '-'))
    writeFileSync(cover, wanted[index])
    return `[ -e /proc/sys/${name} ] && mount --bind ${cover} /proc/sys/${name}`
  })
  const script = [
    'mount --make-rprivate /',
    `mount --bind ${folder} ${folder}`,
    `mount --make-shared ${folder}`,
    // Separate file systems, so that disk limits and usage are real. They are unmounted with this namespace.
    `for disk in $(seq 0 ${DISKS - 1}); do
      mkdir -p ${path('disks')}/$disk
      truncate -s 1G ${path('disks')}/$disk.img
      mkfs.ext4 -q -F -m0 -E lazy_itable_init=1 ${path('disks')}/$disk.img
      mount -o loop,nosuid,nodev ${path('disks')}/$disk.img ${path('disks')}/$disk
    done`,
    ...lines,
    'echo ready',
    'exec sleep 1000000',
  ].join('\n')
  // Not `ip netns exec`, because it mounts a new /sys without this machine's cgroups.
  const holder = spawn('nsenter', [`--net=/run/netns/${netns}`, 'unshare', '-m', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(holder)
  await new Promise((resolve, reject) => {
    holder.stdout.once('data', resolve)
    holder.once('exit', () => reject(new ToolError('The namespaces of the cluster could not be created.')))
  })
  spawner = holder.pid
}

async function until(what, is, seconds = 90) {
  for (const end = Date.now() + seconds * 1000; !(await is()); await wait(300))
    if (Date.now() > end) throw new ToolError(`${what} did not come up; see ${folder}/*.log\n${tails()}`)
}

const tails = () =>
  ['ends', 'apiserver', 'containerd', 'kubelet', 'router']
    .map(
      (name) =>
        `${name}: ${existsSync(path(`${name}.log`)) ? readFileSync(path(`${name}.log`), 'utf8').slice(-1200) : ''}`,
    )
    .join('\n')

async function ask(method, where, body) {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  try {
    const answer = await fetch(`https://${CLUSTER_IP}:6443${where}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, json: await answer.json().catch(() => undefined) }
  } catch {
    return { status: 0 }
  }
}

async function up() {
  network()
  files()
  image()
  await mountNamespace()
  start('etcd', 'etcd', [
    '--data-dir',
    path('etcd'),
    '--listen-client-urls',
    'http://127.0.0.1:2379',
    '--advertise-client-urls',
    'http://127.0.0.1:2379',
    '--listen-peer-urls',
    'http://127.0.0.1:2380',
    '--unsafe-no-fsync',
  ])
  start('apiserver', join(binaries, 'kube-apiserver'), [
    '--etcd-servers=http://127.0.0.1:2379',
    `--bind-address=${CLUSTER_IP}`,
    `--advertise-address=${CLUSTER_IP}`,
    '--secure-port=6443',
    `--cert-dir=${path('certs')}`,
    `--token-auth-file=${path('tokens.csv')}`,
    '--authorization-mode=RBAC',
    // The node's host name cannot be resolved.
    '--kubelet-preferred-address-types=InternalIP',
    '--service-cluster-ip-range=10.252.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${path('sa.pub')}`,
    `--service-account-signing-key-file=${path('sa.key')}`,
    '--allow-privileged=false',
  ])
  await until('the API server', async () => (await ask('GET', '/readyz')).status === 200)
  start('controllers', join(binaries, 'kube-controller-manager'), [
    `--kubeconfig=${path('kubeconfig')}`,
    `--service-account-private-key-file=${path('sa.key')}`,
    '--use-service-account-credentials=true',
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
  ])
  start('scheduler', join(binaries, 'kube-scheduler'), [
    `--kubeconfig=${path('kubeconfig')}`,
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
  ])
  const trusted = `SSL_CERT_FILE=${path('registry', 'cert.pem')}`
  start('containerd', 'env', [trusted, 'containerd', '--config', path('containerd.toml')])
  await until('containerd', () => existsSync(path('containerd.sock')))
  await until(
    'the image',
    () =>
      spawnSync('ctr', ['-a', path('containerd.sock'), '-n', 'k8s.io', 'images', 'import', path('image.tar')])
        .status === 0,
  )
  for (const controller of controllers()) mkdirSync(join('/sys/fs/cgroup', controller, cgroup), { recursive: true })
  copyCpuset()
  start('kubelet', join(binaries, 'kubelet'), [
    `--kubeconfig=${path('kubeconfig')}`,
    `--config=${path('kubelet.yaml')}`,
    `--root-dir=${path('kubelet')}`,
    `--hostname-override=${NODE}`,
    `--node-ip=${CLUSTER_IP}`,
    `--container-runtime-endpoint=unix://${path('containerd.sock')}`,
  ])
  await until('the node', async () => {
    const { json } = await ask('GET', `/api/v1/nodes/${NODE}`)
    return json?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')
  })
  // Pods of this node reach each other through a bridge, whose packets must pass its rules as well.
  run('nsenter', [`--net=/run/netns/${netns}`, 'sysctl', '-q', '-w', 'net.bridge.bridge-nf-call-iptables=1'])
  start('router', router, [
    ...[
      `--kubeconfig=${path('kubeconfig')}`,
      `--hostname-override=${NODE}`,
      '--service-cluster-ip-range=10.252.0.0/16',
    ],
    ...['--run-firewall=true', '--run-router=false', '--run-service-proxy=false', '--iptables-sync-period=1m'],
    ...['--health-port=0', '--metrics-port=0'],
  ])
  for (let disk = 0; disk < DISKS; disk++)
    await ask('POST', '/api/v1/persistentvolumes', {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `disk-${disk}` },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        local: { path: path('disks', String(disk)) },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [NODE] }] },
            ],
          },
        },
      },
    })
}

/** The cgroup v1 hierarchies of this machine; the cluster needs a root group in each. */
const controllers = () =>
  readdirSync('/sys/fs/cgroup').filter((name) => existsSync(join('/sys/fs/cgroup', name, 'tasks')))

/** A new cpuset group is empty, so CPUs and memory nodes are copied from the parent. */
function copyCpuset() {
  const base = '/sys/fs/cgroup/cpuset'
  for (const name of ['cpuset.cpus', 'cpuset.mems'])
    if (existsSync(join(base, name))) writeFileSync(join(base, cgroup, name), readFileSync(join(base, name)))
}

async function down() {
  if (existsSync(path('containerd.sock'))) {
    const ctr = (...args) =>
      spawnSync('ctr', ['-a', path('containerd.sock'), '-n', 'k8s.io', ...args], { encoding: 'utf8' }).stdout ?? ''
    for (const id of ctr('tasks', 'ls', '-q').split('\n').filter(Boolean)) ctr('tasks', 'kill', '-s', 'KILL', id)
  }
  for (const child of children.reverse()) child.kill('SIGTERM')
  await wait(2000)
  for (const child of children) child.kill('SIGKILL')
  // Container shims keep running without containerd.
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    if (Number(pid) !== process.pid && mentions(pid)) process.kill(Number(pid), 'SIGKILL')
  spawnSync('ip', ['netns', 'del', netns])
  spawnSync('ip', ['link', 'del', `${netns}h`])
  for (const name of existsSync(NETNS_FOLDER) ? readdirSync(NETNS_FOLDER) : []) {
    if (!name.startsWith('cni-') || namesBefore.includes(name)) continue
    spawnSync('umount', [join(NETNS_FOLDER, name)])
    rmSync(join(NETNS_FOLDER, name), { force: true })
  }
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
  for (const point of mounts.filter((each) => each.startsWith(folder)).reverse()) spawnSync('umount', ['-l', point])
  // Cgroups are removed from the innermost, once they have no processes.
  const groups = () => readdirSync('/sys/fs/cgroup').map((each) => join('/sys/fs/cgroup', each, cgroup))
  for (let look = 0; look < 50 && groups().some((group) => existsSync(group)); look++) {
    for (const group of groups().filter((each) => existsSync(each))) {
      spawnSync('kill', ['-KILL', ...pidsIn(group)], { stdio: 'ignore' })
      spawnSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'])
    }
    await wait(200)
  }
  if (!process.env.TIDENET_KEEP) rmSync(folder, { recursive: true, force: true })
}

const pidsIn = (group) =>
  (spawnSync('find', [group, '-name', 'cgroup.procs', '-exec', 'cat', '{}', '+'], { encoding: 'utf8' }).stdout ?? '')
    .split('\n')
    .filter(Boolean)

function mentions(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
  } catch {
    return false
  }
}

let ending
for (const signal of ['SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    ending ??= down().then(() => process.exit(143))
  })

try {
  buildKubernetes()
  await up()
  const [command, ...args] = process.argv.slice(2)
  const env = {
    ...process.env,
    TIDENET_TEST_KUBECONFIG: path('kubeconfig'),
    TIDENET_TEST_KUBERNETES_IMAGE: IMAGE,
    TIDENET_TEST_KUBERNETES_POLICIES: 'yes',
    TIDENET_TEST_KUBERNETES_HOST: HOST_IP,
    TIDENET_TEST_KUBERNETES_CERT: path('registry'),
  }
  delete env.NODE_TLS_REJECT_UNAUTHORIZED
  if (command) {
    const child = spawn(command, args, { stdio: 'inherit', env })
    process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
  } else {
    console.log(`KUBECONFIG=${path('kubeconfig')}`)
    await new Promise((resolve) => process.on('SIGINT', resolve))
  }
} catch (error) {
  console.error(error instanceof ToolError ? error.message : error)
  process.exitCode = 1
}
// Clean up in any case.
ending ??= down()
await ending
