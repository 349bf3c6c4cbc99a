export const texts = {
  leaving: 'You are leaving Tidenet',
  leavingText: 'The address below belongs to another site. Its own terms and privacy policy apply there.',
  host: 'Site',
  address: 'Address',
  go: (host: string) => `Go to ${host}`,
  going: (host: string) => `Taking you to ${host}`,
  goingText: 'The operator trusts this site. If nothing happens, use the button.',
  back: 'Go back',
  home: 'Go to the home page',
  files: 'Go to my files',
  support: 'Contact support',
  copy: 'Copy the address',
  refused: 'This address was not opened',
  why: {
    scheme: 'It is not a web address. Only addresses that begin with https:// or http:// can be opened from here.',
    credentials: 'It contains a user name or a password. Such addresses are often used to imitate another site.',
    form: 'Browsers read it differently from people. Such addresses are often used to imitate another site.',
    host: 'Its site is not on the list of trusted sites of this portal. If you trust it, copy the address and open it yourself.',
    loop: 'It leads back to this page.',
    missing: 'The link contains no address.',
  },
  number: (code: string) => `Code ${code}`,
  unknown: 'The request was rejected',
  unknownText:
    'Go back and try again. If it happens again, send the code to support and tell us what you wanted to open.',
  errors: {
    10011: [
      'Access exceeds limits',
      'This link has reached a limit: 20 downloads of an anonymous file, 10 of a shared file, the owner’s monthly download traffic, or the daily download traffic of your network. Try again tomorrow, or ask the sender for a new link.',
    ],
    10012: [
      'Authorization failed',
      'The node rejected the address: it has expired, was changed, or was issued for another file or node. Such addresses are valid for one hour. Open the file again from the page where you found it to get a new address.',
    ],
    10028: [
      'The file does not exist',
      'It was deleted, it has expired, or the address is mistyped. Anonymous files are stored for 24 hours.',
    ],
    10025: ['No node that holds this file is online', 'The file is still stored. Try again in a few minutes.'],
    10008: ['The nodes are busy', 'No node is available right now. Try again in a few minutes.'],
    2058: ['The share has expired', 'The link was valid for a limited time. Ask the sender for a new link.'],
    1005: [
      'No node in this area is online',
      'The link is limited to certain areas, and no node there is online. Try again later.',
    ],
    401: ['Please sign in again', 'Your session has ended.'],
  } as Record<string, [string, string]>,
}

export type Texts = typeof texts
