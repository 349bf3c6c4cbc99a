import type { UpdateProblem } from '@tidenet/contract'
import { certificateTextsEn } from '@tidenet/contract/node-certificate-texts'

export const texts = {
  intro: 'The devices that you lease out: their state, what they earn, and e-mails when one has a problem.',
  link: 'Link a device',
  failed: 'Your devices could not be loaded.',

  empty: {
    title: 'No devices linked yet',
    text: 'A node works without an account, but earns nothing. Link it to yours to earn points, see it here and get notified.',
    gives: [
      'Its state and storage usage, without searching the explorer',
      'What it earns, hour by hour, with receipts to check the amounts',
      'An e-mail when it goes offline, and another when it is back',
      'Any number of devices, at home or in a data centre',
    ],
    steps: 'Three steps',
    step: [
      ['Create a code', 'It links devices to your account and is valid for 24 hours.'],
      ['Start the node with it', 'A new node or a running one: the commands are shown with the code.'],
      ['See it here', 'It appears automatically within seconds of its start.'],
    ] as readonly (readonly [title: string, text: string])[],
    program: 'What a node is, and what it needs',
  },

  figures: {
    title: 'All of your devices',
    all: 'Devices',
    online: 'Online',
    offline: 'Offline',
    abnormal: 'Abnormal',
    storage: 'Space used',
    of: (used: string, all: string) => `${used} of ${all}`,
  },

  code: {
    title: 'Start a node with this code',
    copy: 'Copy the code',
    until: (when: string) => `Valid until ${when}, shown only once.`,
    rules:
      'You can use it for any number of nodes, once for each. A new code replaces this one; linked devices stay linked.',
    tabs: { edge: 'Linux, macOS', powershell: 'Windows (PowerShell)', running: 'A running node' },
    unpacked: 'This portal does not offer the program.',
    program: 'The program, and other ways to start it',
    running: 'Stop it, then start it as before with this option added:',
    variable: 'Or, if a system service starts it, set this variable:',
    copyOption: 'Copy the option',
    copyVariable: 'Copy the variable',
    keep: 'Keep its data folder: the node keeps its identity and history.',
    waiting: 'Waiting for a node. It appears here automatically.',
    linked: (names: readonly string[]) =>
      `${names.length === 1 ? 'Linked' : `${names.length} devices linked`}: ${names.join(', ')}`,
    done: 'Hide the code',
  },

  list: {
    declared: (area: string) => ` (declared: ${area})`,
    title: 'Devices',
    kinds: ['Edge (L2)', 'Candidate (L1)', 'Validator (L1)'] as readonly string[],
    states: { online: 'Online', offline: 'Offline', abnormal: 'Abnormal' },
    version: (version: string) => `Version ${version}`,
    heard: (ago: string) => `last seen ${ago}`,
    never: 'not seen yet',
    offlineSince: (when: string, ago: string) => `since ${when} (${ago})`,
    justNow: 'just now',
    reachable: 'Publicly reachable',
    unreachable: 'Not publicly reachable',
    vetting: (audits: number, auditsOf: number, time: number, timeOf: string) =>
      `New: ${audits} of ${auditsOf} audits passed, ${time} of ${timeOf}`,
    updatesItself: 'updates itself',
    notUpdated: (version: string, why: string) => `Could not update to ${version}: ${why}`,
    updateProblems: {
      download: 'it could not be downloaded',
      space: 'the disk has no space for it',
      folder: 'the folder of the program cannot be written; install the node again',
      'not-ready': 'it did not become ready on this machine',
    } satisfies Record<UpdateProblem, string>,
    leaving: (remaining: number) =>
      `Leaving: ${remaining.toLocaleString('en')} ${remaining === 1 ? 'content still needs' : 'contents still need'} this device, so keep it running`,
    left: 'Left the network: you can switch it off',
    leftOff: 'Left the network',
    draining: 'Draining: it fails audits, so its copies are moving to other nodes',
    certificate: certificateTextsEn,
    passedOn: (signed: string, paid: string) =>
      `Relayed for other devices in 30 days: ${signed}, of which for paid downloads: ${paid}`,
    cloned:
      'Two programs use the key of this device. If its data folder was copied, stop the copy and delete node.key there. If the key was stolen, stop the device, delete node.key and start it as a new one.',
    storage: (used: string, all: string) => `${used} of ${all}`,
    roomLabel: 'Space used',
    mail: 'E-mails',
    mailLong: 'E-mails about problems',
    mailOf: (name: string) => `E-mails about problems of ${name}`,
    actions: (name: string) => `More about ${name}`,
    details: 'Details in the explorer',
    copyId: 'Copy the node ID',
    unlink: 'Unlink',
  },

  notes: {
    title: 'Notes',
    mails: (offline: string, mail: string) =>
      `A device counts as offline after ${offline} without a heartbeat. We send an e-mail ${mail} after the last heartbeat, unless it is back sooner, and another one when it is back. Several devices are combined in one e-mail. At most once a week, we also write about a device that runs an outdated version, or that does not work reliably, whose certificate expires, or whose key is used twice.`,
    noEmail: 'This account has no e-mail address, so we cannot send e-mails. Offline devices are shown here.',
    account: 'Go to my account',
    unreachable:
      'A device that is not publicly reachable cannot serve its copies, so it receives copies only if no other device is available, and a new one stays new. Behind a router it is reached through relays of the network within minutes of its start, without any settings. If it is not, look at the problem shown with the device and at its log: it must be able to connect to port 443 of other machines. A network without relays reaches only devices with a public address (--public-url).',
    vetting:
      'A new device gets few copies and serves few downloads until it has passed the audits shown, over the days shown and at different times of day. In an audit, the network checks at a random time whether the device still holds its copies. Keep it switched on, online and publicly reachable; there is nothing else to do. Audits of the same content count once an hour, so a device with few copies takes longer. If it becomes abnormal or is offline for more than a day, it starts again from zero.',
    draining:
      'A device drains if more than a fifth of its audits failed, or if it was abnormal for an hour. Its copies move to other nodes, and it gets no new ones. Check its disk and its internet connection. It is used again when it passes its audits; if it has no copies left to audit, that takes a day or two.',
    abnormal:
      'A device is abnormal if it failed two of its last ten audits, which means it could not return blocks it should store. After two passed audits in a row it is normal again. A clock that is off by minutes also makes it abnormal.',
  },

  unlinking: {
    title: (name: string) => `Unlink ${name}?`,
    what: [
      'The node continues without an owner. Its stored content does not change.',
      'You no longer receive e-mails about it.',
      'It no longer earns points for you, not even for hours that are still running. You keep what it has earned.',
      'Your code becomes invalid, so the node is not linked again at its next start. Your other devices stay linked.',
    ],
    confirm: 'Unlink',
    done: (name: string) => `${name} is no longer linked`,
  },
}

export type Texts = typeof texts
