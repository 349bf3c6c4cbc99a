/** The cookie notice. */
export const texts = {
  title: 'About cookies',
  text: 'We store your language in a cookie, and your session and theme in local storage. We also count visits from each link to our extension page, without any information about you; you can decline this. No data leaves this network.',
  accept: 'Accept',
  decline: 'Decline',
  more: 'Privacy',
}

export type Texts = typeof texts
