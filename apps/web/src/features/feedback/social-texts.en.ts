/** What the places are called that the operator has elsewhere. */
export const texts = {
  chat: 'Chat room',
  x: 'X',
  telegram: 'Telegram',
  blog: 'Blog',
  hub: 'All channels',
  discussions: 'Discussions',
  label: 'Elsewhere',
}

export type Texts = typeof texts
