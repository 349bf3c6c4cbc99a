import type { Output, RouteOf } from '@tidenet/contract'

type Cluster = Output<RouteOf<'clusters.state'>>['list'][number]

const state: Record<Cluster['state'], string> = {
  ready: 'Ready, sells',
  'limits-unenforced': 'Limits not enforced, sells nothing',
  unsafe: 'Programs not kept apart, sells nothing',
  absent: 'Absent, sells nothing',
  unknown: 'Being tried out',
}

const advice: Record<Exclude<Cluster['state'], 'ready'>, string> = {
  absent:
    'Install a container engine on the server’s machine, or name one in the settings, then check again. Until then orders are refused with the reason.',
  'limits-unenforced':
    'This engine runs programs but lets them use what they were not sold. Run it as root, or on a machine with cgroups v2, then check again.',
  unsafe: 'This engine lets a program reach its host. Do not sell on it: use another engine, then check again.',
  unknown: 'The first look takes up to a minute after the server has started.',
}

export const texts = {
  state,
  advice,
  kind: { engine: 'Container engine', kubernetes: 'Kubernetes' } as Record<Cluster['kind'], string>,
  region: { distributed: 'Distributed', centralized: 'Centralized – Hong Kong' },
  failed: 'The clusters could not be loaded',
  none: 'No cluster is configured',
  noneText:
    'Name one per region in TIDENET_CLUSTER_DISTRIBUTED and TIDENET_CLUSTER_CENTRALIZED, then start the server again.',
  again: 'Check again',
  sold: 'Sold of what there is',
  cpu: 'Cores',
  memory: 'Memory',
  storage: 'Disk',
  of: (sold: string, all: string) => `${sold} of ${all}`,
  install: 'On this machine',
  tried: 'What was tried',
  facts: 'What was found out',
  /** What drivers say of themselves, where it is not a name; what is not here is shown as they say it. */
  fact: {
    engine: 'Engine',
    image: 'Image of its own',
    accounts: 'Accounts of programs',
    namespaces: 'Namespaces of programs',
    storage: 'Limits of disks',
    network: 'Network',
    nodes: 'Machines that are ready',
  } as Readonly<Record<string, string>>,
  found: {
    'shared with the machine': 'Shared with the machine',
    mapped: 'Mapped to others on the machine',
    open: 'Programs can make some of their own',
    closed: 'Programs can make none',
    unknown: 'Not known',
    enforced: 'Enforced',
    metered: 'Metered, and stopped above',
    none: 'None',
    'a network of its own for each workspace': 'One for each workspace',
    'a network policy for each workspace': 'A policy for each workspace',
  } as Readonly<Record<string, string>>,
}

export type Texts = typeof texts
