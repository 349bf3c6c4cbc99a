export const texts = {
  intro:
    'The machines that you lease out to the network: how they are, how much they hold, and a mail when one goes offline.',
  link: 'Link a device',
  failed: 'Your devices could not be loaded.',

  empty: {
    title: 'No devices linked yet',
    text: 'A node works without an account. Linked to yours, you see it here and need not watch it yourself.',
    gives: [
      'Its state and how much it holds, without searching the explorer',
      'A mail when it goes offline, and another when it is back',
      'As many machines as you like, at home or in a data centre',
    ],
    steps: 'Three steps',
    step: [
      ['Make a code', 'It says whose a machine is, and is good for 24 hours.'],
      ['Start the node with it', 'A new one or one that runs already: the commands come with the code.'],
      ['See it here', 'It turns up by itself, within seconds of its start.'],
    ] as readonly (readonly [title: string, text: string])[],
    program: 'What a node is, and what it needs',
  },

  figures: {
    title: 'All of your devices',
    all: 'Devices',
    online: 'Online',
    offline: 'Offline',
    abnormal: 'Abnormal',
    room: 'Space used',
    of: (used: string, all: string) => `${used} of ${all}`,
  },

  code: {
    title: 'Start a node with this code',
    copy: 'Copy the code',
    until: (when: string) => `Good until ${when}, and shown only now.`,
    rules:
      'Any number of nodes may use it. Each needs it once: the network remembers whose it is. A new code ends this one; machines that are linked stay linked.',
    tabs: { edge: 'Linux, macOS', powershell: 'Windows (PowerShell)', running: 'A node that runs already' },
    own: 'Put in your own area, place, size and name.',
    unpacked: 'This portal has not packed the program.',
    program: 'The program, and other ways to start it',
    running: 'Stop it, and start it as before with this at the end of its command:',
    variable: 'Or, where it is started by a service, set this variable for it:',
    copyOption: 'Copy the option',
    copyVariable: 'Copy the variable',
    keep: 'Leave its data folder as it is: the node stays the same, with its history.',
    waiting: 'Waiting for a node. It turns up here by itself.',
    linked: (names: readonly string[]) =>
      `${names.length === 1 ? 'Linked' : `${names.length} devices linked`}: ${names.join(', ')}`,
    done: 'Put the code away',
  },

  list: {
    title: 'Devices',
    kinds: ['Edge (L2)', 'Candidate (L1)', 'Validator (L1)'] as readonly string[],
    states: { online: 'Online', offline: 'Offline', abnormal: 'Abnormal' },
    version: (version: string) => `Version ${version}`,
    heard: (ago: string) => `last seen ${ago}`,
    never: 'not seen yet',
    offlineSince: (when: string, ago: string) => `since ${when} (${ago})`,
    justNow: 'just now',
    reachable: 'Reachable from outside',
    unreachable: 'Not reachable from outside',
    room: (used: string, all: string) => `${used} of ${all}`,
    roomLabel: 'Space used',
    mail: 'Mails',
    mailLong: 'Mail when it goes offline',
    mailOf: (name: string) => `Mail when ${name} goes offline`,
    actions: (name: string) => `More about ${name}`,
    details: 'Details in the explorer',
    copyId: 'Copy the node ID',
    unlink: 'Unlink',
  },

  notes: {
    title: 'How this is meant',
    mails: (offline: string, mail: string) =>
      `A device counts as offline after ${offline} of silence. If it stays silent, its mail leaves ${mail} after the last sign of life. One that comes back sooner is not worth a mail. When it is back you get one more. Several devices at once come in one mail.`,
    noEmail: 'Mails need an e-mail address, and this account is entered without one. What goes offline is shown here.',
    account: 'To your account',
    unreachable:
      'A device that is not reachable from outside can hand its copies to nobody, so it is given some only where no other device is left. Forward a port of its router and name the address with --public-url, and it serves people and other nodes.',
    abnormal:
      'A device is abnormal when two of its last ten audits failed: it could not show blocks that it should hold. Two passed in a row make it good again. A clock that is minutes off makes it abnormal, too.',
  },

  unlinking: {
    title: (name: string) => `Unlink ${name}?`,
    what: [
      'The node goes on, without an owner. What it holds stays where it is.',
      'You get no more mails about it.',
      'Your code ends as well, or the node would be back at its next start. Your other devices stay linked.',
    ],
    confirm: 'Unlink',
    done: (name: string) => `${name} is no longer linked`,
  },
}

export type Texts = typeof texts
