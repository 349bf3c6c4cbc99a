export const texts = {
  name: 'Your name',
  email: 'E-mail',
  emailHint: 'Used only to reply to you.',
  organisation: 'Organisation',
  text: 'Your message',
  left: (count: number) => `${count.toLocaleString('en')} characters left`,
  send: 'Send',
  sending: 'Sending',
  problems: {
    name: 'Please enter your name.',
    nameLong: (most: number) => `At most ${most} characters.`,
    nameForm: 'Please keep to one line without control characters.',
    emailMissing: 'Please enter your e-mail address.',
    emailInvalid: 'This does not look like an e-mail address.',
    text: 'Please write a few words.',
    textLong: (most: number) => `At most ${most.toLocaleString('en')} characters.`,
    summary: (count: number) =>
      count === 1 ? 'One field needs your attention.' : `${count} fields need your attention.`,
  },
  sentTitle: 'Your message has arrived',
  sentText: (email: string) =>
    `We are sending a confirmation to ${email}. A person reads your message and replies to this address.`,
  sentLater: 'We aim to reply within two working days. If you do not receive a confirmation, check your spam folder.',
  again: 'Write another message',

  panel: {
    about: 'What is it about?',
    topics: { support: 'Chat', feedback: 'Feedback', contact: 'Business' },
    labels: {
      feedback: 'What is confusing, slow, wrong or missing?',
      contact: 'What would you like to do with the network?',
    },
    form: 'We reply by e-mail, usually within two working days.',
    elsewhere: 'Elsewhere',
    ownForm: 'Feedback form of this portal’s operator',
  },
}

export type Texts = typeof texts
