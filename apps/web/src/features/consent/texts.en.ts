/** The question whether visits may be counted. */
export const texts = {
  title: 'About cookies',
  text: 'A cookie stores your language, and local storage stores your session and theme. We also count which links lead people to our extension, without any information about you. You can decline this. No data leaves this network.',
  accept: 'Accept',
  decline: 'Decline',
  more: 'Privacy',
}

export type Texts = typeof texts
