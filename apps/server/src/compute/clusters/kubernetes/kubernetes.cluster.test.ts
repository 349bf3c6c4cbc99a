import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { ApiextensionsV1Api } from '@kubernetes/client-node'
import { createLogger } from '@tidenet/daemon'
import { describe, expect, it } from 'vitest'
import type { ClusterDriver, ProgramAddress, WorkloadSpec } from '../driver.ts'
import { driverSuite } from '../driver-suite.fixture.ts'
import {
  findState,
  networkAddress,
  randomId,
  runScript,
  sampleWorkload,
  sampleWorkspace,
  until,
  untilRunning,
} from '../sample-workloads.fixture.ts'
import { type Api, openApi } from './api.ts'
import { createKubernetesDriver } from './kubernetes.ts'
import { namespaceOf } from './manifests.ts'
import { PLAIN } from './settings.ts'

/** Only on a cluster that is explicitly named for tests, because tests change it. */
const file = process.env.TIDENET_TEST_KUBECONFIG ?? ''

const options = {
  file,
  context: '',
  installation: randomBytes(3).toString('hex'),
  image: process.env.TIDENET_TEST_KUBERNETES_IMAGE ?? 'docker.io/library/debian:12-slim',
  storageClass: '',
  // All workloads of the tests share a node that may have only two cores.
  overcommit: 20,
  // Its network has no policies.
  openNetwork: process.env.TIDENET_TEST_KUBERNETES_POLICIES !== 'yes',
  ...PLAIN,
  log: createLogger('test', 'silent'),
}

if (file === '') console.log('TIDENET_TEST_KUBECONFIG is not set: Kubernetes is not tested.')

describe.skipIf(file === '')('with a cluster', () => {
  const open = async () => {
    const driver = createKubernetesDriver(options)
    return {
      driver,
      reopen: () => createKubernetesDriver(options),
      close: () => driver.close(),
      canEnlargeDisks: process.env.TIDENET_TEST_KUBERNETES_GROWS === 'yes',
      resolvesNames: process.env.TIDENET_TEST_KUBERNETES_DNS === 'yes',
      isolatesNetworks: process.env.TIDENET_TEST_KUBERNETES_POLICIES === 'yes',
    }
  }
  driverSuite('Kubernetes', open, false)
})

describe.skipIf(file === '')('a cluster', { timeout: 180_000 }, () => {
  it('is tried with what is sold: limits, a disk, and whether workspaces are kept apart', async () => {
    const driver = createKubernetesDriver(options)
    const { state, facts, tried } = await driver.probe()
    expect([state, tried]).toEqual(['ready', [expect.objectContaining({ result: 'ready' })]])
    expect(facts).toMatchObject({ kernel: 'shared', security: 'restricted', processes: 'at most 256', gpus: '0' })
    expect(await driver.listWorkspaces()).toEqual([])
    await driver.close()
  })

  it('with a runtime class of gVisor that its nodes cannot run uses its default, and says so', async () => {
    const { node } = openApi(file, '')
    const name = randomId('gvisor')
    await node.createRuntimeClass({ body: { metadata: { name }, handler: 'runsc' } })
    const driver = createKubernetesDriver(options)
    const { state, facts, tried } = await driver.probe()
    expect([state, facts.kernel, tried.at(-1)?.result]).toEqual(['ready', 'shared', 'ready'])
    expect(tried[0]?.what).toContain(name)
    const { space, ref } = await program(driver)
    expect(await findState(driver, ref)).toMatchObject({ state: 'running', kernel: 'shared' })
    await driver.removeWorkspace(space.id)
    await driver.close()
    await node.deleteRuntimeClass({ name })
  })

  it.skipIf(!options.openNetwork)('is not sold if its network does not keep workspaces apart', async () => {
    const driver = createKubernetesDriver({ ...options, openNetwork: false })
    expect(await driver.probe()).toMatchObject({ state: 'unsafe' })
    await driver.close()
  })

  it('without nodes for programs is absent', async () => {
    for (const more of [{ nodes: 'pool=nowhere' }, { file: '/nowhere/kubeconfig' }]) {
      const driver = createKubernetesDriver({ ...options, ...more })
      expect((await driver.probe()).state).toBe('absent')
      await driver.close()
    }
  })

  it('lets an ingress of its namespace reach a program, and nobody else', async () => {
    const ingressNamespace = randomId('ingress')
    const driver = createKubernetesDriver({ ...options, ingressNamespace })
    const { space, ref } = await program(driver, {
      command: ['/bin/sh', '-c', 'while :; do echo hello | nc -l -p 8080; done'],
      ports: [8080],
    })
    const { host, port } = await networkAddress(driver, ref, 8080)
    const heard = await Promise.all(
      [ingressNamespace, randomId('elsewhere')].map((namespace) =>
        outputIn(
          namespace,
          `for i in 1 2 3 4 5; do nc -w 2 ${host} ${port} </dev/null 2>/dev/null && break; sleep 1; done; echo end`,
        ),
      ),
    )
    expect(heard).toEqual(['hello\nend\n', options.openNetwork ? 'hello\nend\n' : 'end\n'])
    await driver.removeWorkspace(space.id)
  })

  it('lets this server reach a program through the cluster, one connection for each address', async () => {
    const driver = createKubernetesDriver(options)
    const { space, ref } = await program(driver, {
      command: ['/bin/sh', '-c', "while :; do nc -l -p 8080 -e /bin/sh -c 'read line; echo heard $line'; done"],
      ports: [8080],
    })
    const ask = async (at: number) => {
      const address = await driver.addressOf(ref, at)
      const said = await heardAt(address, 'a word\n')
      await expect(heardAt(address, '')).rejects.toThrow()
      return said
    }
    await until(async () => (await ask(8080)) === 'heard a word\n')
    // Nothing listens there.
    expect(await ask(8081)).toBe('')
    await driver.stop(ref)
    await expect(driver.addressOf(ref, 8080)).rejects.toMatchObject({ failure: 'stopped' })
    await expect(driver.addressOf({ ...ref, workload: 'w-none' }, 8080)).rejects.toMatchObject({ failure: 'unknown' })
    await driver.removeWorkspace(space.id)
  })

  it('leads the domain of programs to our ingress if the operator names a class, and keeps annotations', async () => {
    const namespace = randomId('ours')
    const { core, network } = openApi(file, '')
    await core.createNamespace({ body: { metadata: { name: namespace } } })
    const lead = async (more: object) => {
      const driver = createKubernetesDriver({ ...options, ingressNamespace: namespace, ...more })
      await driver.leadToIngress?.('apps.example.com')
      await driver.close()
      return (await network.listNamespacedIngress({ namespace })).items
    }
    expect(await lead({})).toEqual([])
    const [first] = await lead({ ingressClass: 'nginx' })
    const name = first?.metadata?.name ?? ''
    await network.replaceNamespacedIngress({
      namespace,
      name,
      body: { ...first, metadata: { ...first?.metadata, annotations: { 'example.com/body': '0' } } },
    })
    const after = await lead({ ingressClass: 'traefik', ingressTls: 'wildcard' })
    expect(after).toMatchObject([
      {
        metadata: { name, annotations: { 'example.com/body': '0' } },
        spec: { ingressClassName: 'traefik', tls: [{ hosts: ['*.apps.example.com'], secretName: 'wildcard' }] },
      },
    ])
    await core.deleteNamespace({ name: namespace })
  })

  it('checks the health of a program, and restarts it when it does not answer', async () => {
    const driver = createKubernetesDriver(options)
    const health = { kind: 'http', port: 8080, path: '/ready', interval: 5, threshold: 1 } as const
    const { space, spec, ref } = await program(driver, {
      command: ['/bin/sh', '-c', 'echo yes > /data/ready; exec httpd -f -p 8080 -h /data'],
      ports: [8080],
      health,
    })
    const isHealthy = (restarts: number) => async () => {
      const found = await findState(driver, ref)
      return found?.health === 'healthy' && found.restarts === restarts
    }
    await until(isHealthy(0))
    await runScript(driver, ref, 'rm /data/ready')
    await until(isHealthy(1))
    const { health: _, ...unchecked } = spec
    await driver.resize(space, unchecked)
    await untilRunning(driver, ref)
    expect((await findState(driver, ref))?.health).toBeUndefined()
    await driver.removeWorkspace(space.id)
  })

  it('takes a snapshot of a disk when its workspace is suspended, once', async () => {
    const api = openApi(file, '')
    await defineSnapshots(api)
    const driver = createKubernetesDriver({ ...options, snapshotClass: 'csi' })
    const { space, spec, ref } = await program(driver)
    const snapshots = async () => {
      const namespace = namespaceOf(options.installation, space.id)
      const found = await api.custom.listNamespacedCustomObject({ ...SNAPSHOTS, namespace })
      return (found as { items: { spec: { source: unknown } }[] }).items
    }
    await driver.suspendWorkspace(space.id)
    await driver.suspendWorkspace(space.id)
    expect((await snapshots()).map((one) => one.spec.source)).toEqual([
      { persistentVolumeClaimName: `disk-${ref.workload}-0` },
    ])
    await driver.deploy(space, spec)
    await untilRunning(driver, ref)
    await driver.suspendWorkspace(space.id)
    expect(await snapshots()).toHaveLength(2)
    await driver.removeWorkspace(space.id)
  })

  it('runs programs without root, and refuses pods of tenants that are more than that', async () => {
    const driver = createKubernetesDriver(options)
    const { space, ref } = await program(driver)
    expect((await runScript(driver, ref, 'id -u; echo kept > /data/kept && cat /data/kept')).output).toBe('1000\nkept')
    const { core } = openApi(file, '')
    const resources = { limits: { cpu: '10m', memory: '4Mi' } }
    const pod = (spec: object) =>
      core.createNamespacedPod({
        namespace: namespaceOf(options.installation, space.id),
        body: {
          metadata: { name: 'evil' },
          spec: { containers: [{ name: 'a', image: options.image, resources }], ...spec },
        },
      })
    for (const spec of [{}, { hostNetwork: true }, { volumes: [{ name: 'host', hostPath: { path: '/' } }] }])
      await expect(pod(spec)).rejects.toMatchObject({ code: 403 })
    await driver.removeWorkspace(space.id)
  })
})

/** What a program answers, until it closes the connection. */
function heardAt(address: ProgramAddress, word: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ ...address, allowHalfOpen: true })
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve(text) : reject(error)))
    socket.on('data', (bytes) => {
      text += bytes
    })
    socket.once('close', () => resolve(text))
    socket.once('end', () => socket.end())
    socket.write(word)
  })
}

/** The output of a script in a new namespace, which ends with `end`. */
async function outputIn(namespace: string, script: string): Promise<string> {
  const { core } = openApi(file, '')
  await core.createNamespace({ body: { metadata: { name: namespace } } })
  const container = { name: 'a', image: options.image, command: ['/bin/sh', '-c', script] }
  const target = { namespace, name: 'visitor' }
  const create = () =>
    core.createNamespacedPod({
      namespace,
      body: { metadata: { name: target.name }, spec: { restartPolicy: 'Never', containers: [container] } },
    })
  // The service account of a new namespace comes a moment later.
  await until(() =>
    create().then(
      () => true,
      () => false,
    ),
  )
  let output = ''
  await until(async () => {
    output = await core.readNamespacedPodLog(target).catch(() => '')
    return output.includes('end')
  })
  await core.deleteNamespace({ name: namespace })
  return output
}

/** A running program in a workspace of its own. */
async function program(driver: ClusterDriver, more: Partial<WorkloadSpec> = {}) {
  const space = sampleWorkspace()
  const spec = sampleWorkload(more)
  const ref = { workspace: space.id, workload: spec.id }
  await driver.createWorkspace(space)
  await driver.deploy(space, spec)
  await untilRunning(driver, ref)
  return { space, spec, ref }
}

const SNAPSHOTS = { group: 'snapshot.storage.k8s.io', version: 'v1', plural: 'volumesnapshots' }

/** Defines snapshots as the cluster of a storage provider does; nobody takes them here. */
async function defineSnapshots({ config, custom }: Api): Promise<void> {
  const body = {
    metadata: {
      name: `${SNAPSHOTS.plural}.${SNAPSHOTS.group}`,
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-csi/external-snapshotter/pull/814' },
    },
    spec: {
      group: SNAPSHOTS.group,
      scope: 'Namespaced',
      names: { plural: SNAPSHOTS.plural, singular: 'volumesnapshot', kind: 'VolumeSnapshot' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', x_kubernetes_preserve_unknown_fields: true } },
        },
      ],
    },
  }
  await config.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({ body })
  await until(() =>
    custom.listClusterCustomObject(SNAPSHOTS).then(
      () => true,
      () => false,
    ),
  )
}

it('is absent without a cluster', async () => {
  const none = createKubernetesDriver({ ...options, file: '/nowhere/kubeconfig' })
  expect((await none.probe()).state).toBe('absent')
  await none.close()
})
