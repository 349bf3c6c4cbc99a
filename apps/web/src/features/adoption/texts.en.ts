const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`

export const texts = {
  title: (items: number) =>
    items === 1 ? 'Add this item to your account?' : `Add these ${items.toLocaleString('en')} items to your account?`,
  text: 'They were left on this device by somebody who was not signed in. Add them only if it was you.',
  files: (files: number) => count(files, 'uploaded file', 'uploaded files'),
  filesText: 'If you do not add them, they are deleted 24 hours after the upload. Their links work until then.',
  messages: (messages: number) => count(messages, 'message with support', 'messages with support'),
  workspace: 'Running guest machine',
  workspaceText: 'It still stops when its time is over. Then it is kept for 72 hours, and you can buy it.',
  messagesText: 'The conversation continues in your account.',
  more: (names: number) => `and ${names.toLocaleString('en')} more`,
  add: 'Add to my account',
  later: 'Not now',
  discard: 'They are not mine',
  discarded: 'Removed from this device',
  added: 'Added to your account',
  failed: (files: number) => `${count(files, 'file', 'files')} could not be added`,
}
