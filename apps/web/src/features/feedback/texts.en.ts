export const texts = {
  name: 'Your name',
  email: 'E-mail',
  emailHint: 'The answer goes there, and nowhere else.',
  organisation: 'Organisation',
  text: 'Your message',
  left: (count: number) => `${count.toLocaleString('en')} characters left`,
  send: 'Send',
  sending: 'Sending',
  problems: {
    name: 'Please say who you are.',
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
    `A confirmation is on its way to ${email}. A person reads your message and answers to that address.`,
  sentLater:
    'The aim is an answer within two working days. If the confirmation does not come, look among unwanted mail first.',
  again: 'Write another message',

  panel: {
    title: 'Write to us',
    about: 'What is it about?',
    topics: { support: 'A question', feedback: 'Feedback', contact: 'Business' },
    labels: {
      support: 'What is the matter? What did you do, what did you see, what did you expect?',
      feedback: 'What is confusing, slow, wrong or missing?',
      contact: 'What would you like to do with the network?',
    },
    chat: 'Live chat comes later. Today this reaches people by mail, who aim to answer within two working days.',
    elsewhere: 'Elsewhere',
    ownForm: 'Feedback form of this portal’s operator',
    trace: 'About a transfer? Add its trace: it stands on the dashboard under recent transfers.',
  },
}

export type Texts = typeof texts
