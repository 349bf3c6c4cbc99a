import type { ThirdPartyKind } from '@tidenet/contract'

const kinds: Record<ThirdPartyKind, string> = {
  kubo: 'Kubo node',
  pinning: 'Pinning service',
  simulation: 'Simulation, stores nothing',
}

export const texts = {
  kinds,
  failed: 'The providers could not be loaded',
  none: 'No provider is configured',
  noneText: 'List providers in TIDENET_THIRD_PARTY, then restart the servers.',
  simulated: 'Simulated',
  healthy: 'Answers',
  failing: 'Does not answer',
  unknown: 'Not asked yet',
  unconfigured: 'No longer in the settings',
  unconfiguredText: (waiting: number) =>
    `The servers cannot check these replicas any more${waiting > 0 ? `, or delete ${waiting === 1 ? 'the one that must be deleted' : `the ${waiting} that must be deleted`}` : ''}. Put the provider back into TIDENET_THIRD_PARTY, with the same name and kind, and restart the servers: they go on at once. If it will not come back, delete the files there yourself and ask the provider to confirm it.`,
  answered: (when: string) => `Last answer: ${when}`,
  failedAt: (when: string) => `Last failure: ${when}`,
  stored: 'Stored',
  bytes: 'Bytes',
  inProgress: 'In progress',
  queued: 'Waiting',
  failures: 'Failed',
  removing: 'Being removed',
  late: 'Late',
  restoring: (count: number) =>
    count === 1
      ? 'No node has 1 content. It is being fetched back.'
      : `No node has ${count} contents. They are being fetched back.`,
  failuresTitle: 'Last failures',
  noFailures: 'None',
  tries: (count: number) => (count === 1 ? '1 try' : `${count} tries`),
}

export type Texts = typeof texts
