/** What only the frame of the console says. */
export const texts = {
  support: 'Write to us',
  elsewhere: 'Elsewhere',
  social: {
    chat: 'Chat room',
    x: 'X',
    telegram: 'Telegram',
    blog: 'Blog',
    hub: 'All links',
    discussions: 'Discussions',
  },
}

export type Texts = typeof texts
