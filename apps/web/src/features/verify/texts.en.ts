import { receiptTexts } from '@tidenet/receipts/texts-en'

export const texts = {
  ...receiptTexts,
  eyebrow: 'Receipts',
  title: 'Verify a receipt',
  intro:
    'A receipt is the network’s signed statement about an upload, a download, an hour of a node, a payment or earnings. Find out here whether one is genuine. You need no account, and everything is computed on this device.',
  offline:
    'Once this page is open, it works without a connection. Files are not sent anywhere. The command tidenet verify does the same, and recomputes earnings.',
  drop: 'Drop receipt files here',
  dropNow: 'Release to verify',
  or: 'or',
  choose: 'Choose files',
  paste: 'Paste a receipt file',
  pasteHint: 'The whole content of the file, from the first brace to the last.',
  verifyPasted: 'Verify text',
  pasted: 'Pasted text',
  key: 'Keys of the network',
  keyHint:
    'This browser remembered them when you first opened this page. Compare them if you know them from elsewhere.',
  keyUnknown:
    'The portal did not give the key of its network. Enter it: without it, nobody can tell which network issued a receipt.',
  keyBad: 'A key has 43 letters, digits, - or _.',
  operator: 'Address of the operators',
  operatorHint:
    'It signs the anchors of the log on the chain, and was remembered with the keys. Chain ID, colon, address. Without it, no anchor is compared.',
  operatorBad: 'Write the ID of the chain, a colon and the address.',
  chain: 'Chain to ask',
  chainHint:
    'Optional. RPC address (CometBFT) of a node that you trust. It learns which anchors you look up. Without it, no chain is asked.',
  chainBad: 'Write an address that begins with https://.',
  askChain: 'Look up anchors',
  resultsTitle: 'Results',
  summary: (all: number, valid: number) =>
    `${all} ${all === 1 ? 'file' : 'files'} verified, ${valid} ${valid === 1 ? 'is' : 'are'} genuine.`,
  says: 'What it says',
  checked: 'What was checked',
  states: { passed: 'Passed', failed: 'Failed', not_asked: 'Not checked' },
  ownKey: 'Key in the file',
  place: 'Place in the log',
  placeOf: (index: string, size: string) => `${index} of ${size}`,
  receipt: 'Receipt',
  /** @param exact all digits, because a check by hand needs them */
  bytes: (size: string, exact: string) => `${size} (${exact} bytes)`,
  and: ', ',
  colon: ': ',
  points: (count: string) => `${count} ${count === '1' ? 'point' : 'points'}`,
  coins: (count: string) => `${count} ${count === '1' ? 'coin' : 'coins'}`,
  limitsTitle: 'What a genuine receipt does not prove',
}

export type Texts = typeof texts
