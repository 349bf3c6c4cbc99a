/** The question whether visits may be counted. */
export const texts = {
  title: 'About cookies',
  text: 'One cookie keeps your language, and local storage keeps your session and theme. With your consent we also count which links lead people to our extension; nothing leaves this network.',
  accept: 'Accept',
  decline: 'Decline',
  more: 'Privacy',
}

export type Texts = typeof texts
