const n = (count: number) => count.toLocaleString('en')

export const texts = {
  title: 'Support',
  /** Name of the list of messages. */
  log: 'Conversation with support',
  agent: 'Support',
  you: 'You',
  online: 'An agent is online.',
  offline: 'No agent is online now. Write to us; we will answer later.',
  connecting: 'Connecting…',
  disconnected: 'Connection lost. Reconnecting…',
  failed: 'The conversation could not be loaded',
  introTitle: 'How can we help?',
  intro: 'Write in English or Chinese: what you did, what you saw, and what you expected.',
  message: 'Your message',
  placeholder: 'Write a message',
  send: 'Send',
  sending: 'Sending',
  sent: 'Sent',
  notSent: 'Could not be sent',
  retry: 'Try again',
  discard: 'Delete',
  left: (count: number) => `${n(count)} characters left`,
  tooLong: (count: number) => `${n(count)} characters over the limit`,
  earlier: 'Show earlier messages',
  newMessages: 'New messages',
  today: 'Today',
  yesterday: 'Yesterday',
  events: {
    closed: 'Conversation closed',
    reopened: 'Conversation opened again',
    rated: (rating: number) => `You rated it ${rating} of 5`,
  },
  closedHint: 'Write again to open it.',

  away: {
    title: 'Where should we send the answer?',
    text: 'No agent is online now. The answer will be here too.',
    email: 'E-mail address',
    save: 'Send answers here',
    /** For accounts with an address. */
    own: (email: string) => `E-mail the answer to ${email}`,
    on: (email: string) => `Answers that you do not read here are sent to ${email}.`,
    change: 'Change',
    stop: 'Stop',
    invalid: 'This does not look like an e-mail address.',
    saved: 'Saved',
  },

  rating: {
    title: 'How was the support?',
    names: ['Very bad', 'Bad', 'Fair', 'Good', 'Very good'] as readonly string[],
    comment: 'What should we know?',
    send: 'Send rating',
    thanks: 'Thank you for the rating',
  },

  menu: {
    open: 'More actions',
    save: 'Download conversation',
    remove: 'Delete conversation',
    removeTitle: 'Delete the conversation?',
    removeText: 'All messages are deleted for you and for support. This cannot be undone.',
    removed: 'Conversation deleted',
  },

  file: {
    attach: 'Attach a file',
    remove: (name: string) => `Remove ${name}`,
    tooLarge: (name: string, most: string) => `${name} is larger than ${most}.`,
    empty: (name: string) => `${name} is empty.`,
    uploading: (name: string) => `Uploading ${name}`,
    failed: (name: string) => `${name} could not be uploaded`,
    download: (name: string) => `Download ${name}`,
  },
}

export type Texts = typeof texts
