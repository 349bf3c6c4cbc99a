/** Texts that the pages of all services share. */
export const texts = {
  states: {
    available: 'Available now',
    unavailable: 'Currently unavailable',
    planned: 'Planned',
    request: 'On request',
    checking: 'Checking',
    unknown: 'Status unknown',
  },
  questions: 'Questions and answers',
  reading: 'Further reading',
  readingTo: 'All articles',
  request: 'Request access',
  next: 'What happens next',
  /** `mail`: whether this portal sends e-mail; undefined until it is known. */
  nextSteps: (mail: { sent: boolean; operators: boolean } | undefined): readonly string[] => [
    mail?.operators
      ? 'Your message is stored on this portal and e-mailed to its operators. Nobody else can see it.'
      : 'Your message is stored on this portal for its operators. Nobody else can see it.',
    mail && !mail.sent
      ? 'This portal does not send e-mail, so you will not receive a confirmation.'
      : 'You receive a confirmation by e-mail immediately. It does not contain your message.',
    'A person reads it and replies by e-mail. The target is two working days; this is not a guarantee.',
  ],
  nothing: 'Sending a request does not place an order and costs nothing.',
  toServices: 'All services and their state',
  measuredToday: 'Measured today',
}

export type Texts = typeof texts
