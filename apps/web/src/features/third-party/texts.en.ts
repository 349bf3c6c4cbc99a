import type { ThirdPartyChoice, ThirdPartyExclusion, ThirdPartyReason, ThirdPartyState } from '@tidenet/contract'

const states: Record<ThirdPartyState, string> = {
  queued: 'Waiting',
  inProgress: 'In progress',
  stored: 'Stored',
  failed: 'Sent again soon',
  removing: 'Being removed',
}

const reasons: Record<ThirdPartyReason, string> = {
  providerQueue: 'It waits in the queue of the provider.',
  slow: 'The provider needs longer than usual.',
  unreachable: 'The provider does not answer.',
  refused: 'The provider reported an error.',
  lost: 'The provider no longer has it. It is sent again.',
  unverified: 'The provider says that it stores the file, but blocks of it could not be read back.',
  source: 'No storage node could send the file.',
  origin: 'The provider is waiting for another provider to fetch it from.',
  unconfigured: 'This network no longer uses this provider.',
}

const excluded: Record<ThirdPartyExclusion, string> = {
  noProvider: 'This network has no third-party storage.',
  plan: 'Third-party replicas are part of the VIP and enterprise plans.',
  noAgreement: 'You have not allowed this file to be copied to third parties.',
  areas: 'Files limited to areas are not copied, because third parties do not say where they store.',
  unconfirmed: 'Not before an invited node has confirmed your upload.',
}

const choices: Record<ThirdPartyChoice, { title: string; hint: string }> = {
  encrypted: {
    title: 'Encrypted files only',
    hint: 'Third parties get bytes that only you, and people with your password, can decrypt.',
  },
  all: {
    title: 'All files',
    hint: 'Anyone who knows the CID of an unencrypted file can read it there, even if you have not shared it. Copies may remain after you delete it.',
  },
  off: { title: 'No files', hint: 'Existing copies are removed.' },
}

export const texts = {
  states,
  reasons,
  excluded,
  choices,
  title: 'Third-party replicas',
  intro: 'Further copies outside this network. If all nodes lost your file, it is fetched back from there.',
  count: (stored: number, wanted: number) => `${stored} of ${wanted} stored`,
  countOnly: (stored: number) => `${stored} stored`,
  simulated: 'Simulated',
  simulatedCount: (count: number) => ` (${count} of them simulated: they hold no bytes)`,
  simulatedNote: 'The simulation shows how replicas are made. It stores nothing.',
  failed: 'The third-party replicas could not be loaded.',
  preparing: 'None yet. Copying begins within a minute.',
  fewer: (wanted: number) => `Your plan includes ${wanted}. This network has fewer providers.`,
  queue: (position: number) => (position === 0 ? 'Next in the queue' : `${position} ahead of it in the queue`),
  expected: (when: string) => `Expected by ${when}`,
  late: (when: string) => `Late. Expected by ${when}`,
  deal: 'Deal ID:',
  validity: (from: string, to: string) => `Valid from ${from} to ${to}`,
  renewals: (count: number) => (count === 1 ? ', extended once' : `, extended ${count} times`),
  checked: (when: string) => `Blocks read back and verified ${when}`,
  change: 'Choose which files may be copied',
  cardTitle: 'Third-party replicas',
  cardPlan: (count: number) => `Your plan includes up to ${count} copies per file outside this network.`,
  cardNoPlan:
    'Copies outside this network are part of the VIP and enterprise plans. Your choice applies as soon as you have one.',
  cardNone: 'This network has no third-party storage yet.',
  cardSimulated: 'This network simulates third parties: nothing is copied.',
  cardLabel: 'Files that may be copied to third parties',
  cardAreas: 'Files that you limited to areas are never copied.',
  askTitle: 'Allow copies of unencrypted files?',
  askConfirm: 'Allow all files',
  saved: 'Your choice was saved.',
}

export type Texts = typeof texts
