import type { BlockCategory } from '@tidenet/contract'

export const texts = {
  link: 'Report this content',
  categories: {
    malware: 'Malware',
    phishing: 'Phishing or fraud',
    childAbuse: 'Sexual abuse of children',
    violence: 'Violence or terrorism',
    copyright: 'Violation of copyright',
    privacy: 'Violation of privacy',
    other: 'Something else that is illegal or harmful',
  } satisfies Record<BlockCategory, string>,

  intro: 'Tell the operators about content that should not be on this network. You need no account.',
  target: 'Link or CID',
  targetHint: 'A share link, a short link, the address of a download, or the CID of the file.',
  category: 'Reason',
  chooseCategory: 'Choose a reason',
  words: 'What is wrong with it',
  wordsHint: 'Where in the content it is, and for copyright or privacy: whose right it violates.',
  left: (count: number) => `${count.toLocaleString('en')} characters left`,
  email: 'E-mail',
  emailHint: 'Used once, to tell you what was decided. It is deleted 30 days after that.',
  send: 'Send the report',
  sending: 'Sending',
  problems: {
    target: 'Enter a link or a CID, with at most 2,000 characters.',
    category: 'Choose a reason.',
    words: 'Write a few words.',
    wordsLong: 'At most 4,000 characters.',
    email: 'This does not look like an e-mail address.',
  },
  next: 'What happens next',
  steps: [
    'An operator looks at the report. Reports of the same content are handled together.',
    'If the content is blocked, every node stops to serve it within a minute, and nobody can upload it again.',
    'Its owner is told that it was blocked and why, and can object. The owner learns nothing about you.',
    'If you left an address, you are told what was decided.',
  ],
  limits:
    'Files that their owner encrypted look like random bytes to us: enter the whole link, including what follows the #, so that operators can open them. A block stops these exact bytes; a changed or newly encrypted copy is another content.',
  urgent: 'If somebody is in danger, call the police first.',
  sentTitle: 'Your report was received',
  sentText: 'The operators will review it.',
  sentMail: (email: string) => `We will write to ${email} when it was decided.`,
  again: 'Report something else',

  blockedIntro:
    'The operators blocked these files: nobody can download them. If that is a mistake, object, and the operators will look at them again.',
  none: 'None of your files are blocked.',
  toFiles: 'To your files',
  failed: 'The list could not be loaded',
  blockedAt: (time: string) => `Blocked ${time}`,
  object: 'Object',
  change: 'Change the objection',
  objectTo: (name: string) => `Object to the block of ${name}`,
  objectText: 'Why should this file not be blocked? The operators read this, and answer once.',
  objected: (time: string) => `You objected on ${time}`,
  answered: (time: string) => `The operators answered on ${time}`,
  waiting: 'The operators have not answered yet.',
  sendObjection: 'Send the objection',
  objectionSent: 'Your objection was sent.',
}

export type Texts = typeof texts
