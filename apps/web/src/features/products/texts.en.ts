/** Words that the pages of all services share. */
export const texts = {
  states: {
    available: 'Available now',
    unavailable: 'Currently unavailable',
    planned: 'Planned',
    request: 'On request',
    checking: 'Checking',
    unknown: 'State unknown',
  },
  questions: 'Questions and answers',
  reading: 'Read on',
  readingTo: 'All articles',
  request: 'Ask for it',
  next: 'What happens next',
  /** `mail`: what this portal sends; undefined until it is known. */
  nextSteps: (mail: { sent: boolean; operators: boolean } | undefined): readonly string[] => [
    mail?.operators
      ? 'Your message is stored here and mailed to the operators of this network. Nobody else sees it.'
      : 'Your message is stored here for the operators of this network. Nobody else sees it.',
    mail && !mail.sent
      ? 'This portal does not send e-mail, so you will not receive a confirmation.'
      : 'You receive a confirmation by e-mail at once. It does not repeat what you wrote.',
    'A person reads it and answers by mail. The aim is two working days; it is an aim, not a promise.',
  ],
  nothing: 'Nothing is ordered and nothing is charged by sending it.',
  toServices: 'All services and their state',
  measuredToday: 'Today, measured',
}

export type Texts = typeof texts
