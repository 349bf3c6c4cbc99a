/** Names of the operator's channels. */
export const texts = {
  chat: 'Chat room',
  x: 'X',
  telegram: 'Telegram',
  blog: 'Blog',
  hub: 'All channels',
  discussions: 'Discussions',
  label: 'Other platforms',
}

export type Texts = typeof texts
