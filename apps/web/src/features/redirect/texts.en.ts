export const texts = {
  leaving: 'You are leaving Tidenet',
  leavingText: 'The address below belongs to somebody else. Their terms and their privacy rules apply there.',
  host: 'Site',
  address: 'Address',
  go: (host: string) => `Go to ${host}`,
  going: (host: string) => `Taking you to ${host}`,
  goingText: 'This site is on the list of the operator. If nothing happens, use the button.',
  back: 'Go back',
  home: 'Go to the home page',
  files: 'Go to my files',
  support: 'Ask support',
  copy: 'Copy the address',
  refused: 'This address was not opened',
  why: {
    scheme: 'It is not a web address. Only addresses that begin with https:// or http:// lead out of here.',
    credentials: 'It carries a user name or a password. Such addresses are used to make one site look like another.',
    form: 'It is written in a way that browsers read differently from people. That is how one site is made to look like another.',
    host: 'Its site is not on the list of sites that this portal leads to. If you trust it, copy the address and open it yourself.',
    loop: 'It leads back to this page.',
    missing: 'The link that brought you here names no address.',
  },
  number: (code: string) => `Code ${code}`,
  unknown: 'The request was refused',
  unknownText: 'Go back and try again. If it happens again, send support the code and what you wanted to open.',
  errors: {
    10011: [
      'Access exceeds limits',
      'This link has been used as often as its limit allows: 20 downloads for a file left without an account, 10 for a shared file, or the monthly transfer of its owner. Ask the person who sent it for another one.',
    ],
    10012: [
      'Authorization failed',
      'The node did not accept the address: it has expired, was changed, or was made for another file or node. Such addresses work for an hour. Open the file again from the page where you found it and a new one is made.',
    ],
    10028: [
      'The file does not exist',
      'It was deleted, its time is over, or the address is mistyped. Files left without an account are kept for 24 hours.',
    ],
    10025: ['No node that holds this file is online', 'The file is still stored. Try again in a few minutes.'],
    10008: ['The nodes are busy', 'No node can take this right now. Try again in a few minutes.'],
    2058: ['The share has expired', 'The link was valid for a limited time. Ask the person who sent it for a new one.'],
    1005: [
      'No node in this area can send it now',
      'The link allows some areas only, and no node there is online. Try again later.',
    ],
    401: ['Please sign in again', 'Your session has ended.'],
  } as Record<string, [string, string]>,
}

export type Texts = typeof texts
