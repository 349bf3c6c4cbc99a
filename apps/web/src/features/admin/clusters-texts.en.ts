import type { Output, RouteOf } from '@tidenet/contract'

type Cluster = Output<RouteOf<'clusters.state'>>['list'][number]

const state: Record<Cluster['state'], string> = {
  ready: 'Ready, accepts orders',
  'limits-unenforced': 'Limits not enforced, no orders',
  unsafe: 'Workloads not isolated, no orders',
  absent: 'Not available, no orders',
  unknown: 'Checking',
}

const advice: Record<Exclude<Cluster['state'], 'ready'>, string> = {
  absent:
    'Install a container engine on the server’s machine, or configure one in the settings, then check again. Until then, orders are rejected with this reason.',
  'limits-unenforced':
    'This engine runs workloads but cannot limit the resources they use. Run it as root, or on a machine with cgroups v2, then check again.',
  unsafe:
    'This engine does not isolate workloads from the host. Do not sell on it: use another engine, then check again.',
  unknown: 'The first check takes up to a minute after the server starts.',
}

export const texts = {
  state,
  advice,
  kind: { engine: 'Container engine', kubernetes: 'Kubernetes' } as Record<Cluster['kind'], string>,
  region: { distributed: 'Distributed', centralized: 'Centralized – Hong Kong' },
  failed: 'The clusters could not be loaded',
  none: 'No cluster is configured',
  noneText:
    'Set one per region in TIDENET_CLUSTER_DISTRIBUTED and TIDENET_CLUSTER_CENTRALIZED, then restart the server.',
  again: 'Check again',
  sold: 'Resources sold',
  cpu: 'Cores',
  memory: 'Memory',
  storage: 'Disk',
  of: (sold: string, all: string) => `${sold} of ${all}`,
  install: 'On this machine',
  tried: 'Checks',
  facts: 'Results',
  /** Facts that drivers report; a fact that is not listed here is shown as reported. */
  fact: {
    engine: 'Engine',
    image: 'Own image',
    accounts: 'User accounts of workloads',
    namespaces: 'Namespaces of workloads',
    storage: 'Disk limits',
    network: 'Network',
    kernel: 'Kernel of workloads',
    bandwidth: 'Bandwidth of a workspace, each direction',
    connections: 'Open connections of a workspace',
    security: 'Pod security standard',
    processes: 'Processes of a program',
    gpus: 'GPUs (not sold)',
    nodes: 'Ready machines',
  } as Readonly<Record<string, string>>,
  found: {
    'shared with the machine': 'Shared with the host',
    mapped: 'Mapped to other accounts of the host',
    open: 'Workloads can create namespaces',
    closed: 'Workloads cannot create namespaces',
    unknown: 'Unknown',
    enforced: 'Enforced',
    metered: 'Measured; workloads above the limit are stopped',
    none: 'None',
    'not limited': 'Not limited',
    own: 'Their own (gVisor)',
    shared: 'Shared with the host',
    'a network of its own for each workspace': 'One network per workspace',
    'a network policy for each workspace': 'One network policy per workspace, enforced',
    'a network policy for each workspace, not tested':
      'One network policy per workspace; not tested, because the image has neither nc nor bash',
    'network policies that the cluster does not enforce':
      'Workspaces reach each other: the cluster does not enforce network policies',
    restricted: 'Restricted: no root',
    baseline: 'Baseline: programs may be root',
  } as Readonly<Record<string, string>>,
}

export type Texts = typeof texts
