/** Words that the pages of all services share. */
export const texts = {
  states: { available: 'Available now', planned: 'Planned', request: 'On request' },
  questions: 'Questions and answers',
  reading: 'Read on',
  readingTo: 'All articles',
  request: 'Ask for it',
  next: 'What happens next',
  nextSteps: [
    'Your message is stored here and mailed to the operators of this network. Nobody else sees it.',
    'A confirmation goes to your address at once. It repeats nothing of what you wrote.',
    'A person reads it and answers by mail. The aim is two working days; it is an aim, not a promise.',
  ] as readonly string[],
  nothing: 'Nothing is ordered and nothing is charged by sending it.',
  toServices: 'All services and their state',
  measuredToday: 'Today, measured',
}

export type Texts = typeof texts
