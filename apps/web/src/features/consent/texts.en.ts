/** The question whether visits may be counted. */
export const texts = {
  title: 'About cookies',
  text: 'One cookie keeps your language, and local storage keeps your session and theme. We also count, without anything about you, which links lead people to our extension, unless you decline; nothing leaves this network.',
  accept: 'Accept',
  decline: 'Decline',
  more: 'Privacy',
}

export type Texts = typeof texts
