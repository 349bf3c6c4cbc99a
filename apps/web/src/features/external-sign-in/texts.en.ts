import type { IdentityFailure } from '@tidenet/contract'

const failures: Record<IdentityFailure, string> = {
  unreachable: 'This service cannot be accessed right now. Try again later, or sign in another way.',
  browser:
    'This version of your browser may not be supported: it did not keep the cookie of this sign-in. Allow cookies for this site, or use an up-to-date browser, and try again.',
  denied: 'The sign-in was declined at the other service. Nothing has changed.',
  expired: 'This sign-in took too long or was used before. Please start again.',
  refused: 'The answer of the other service could not be confirmed. Please start again.',
}

export const texts = {
  failures,
  continueWith: (name: string) => `Continue with ${name}`,
  none: 'No third-party sign-in is connected to this network.',
  another: 'Another service',
  firstTime:
    'The first sign-in creates an account. You agree to the terms: you have the right to store what you upload, and you keep your own copy of important files.',
  finishing: 'Signing in',
  linking: 'Linking',
  card: {
    title: 'Other services',
    intro: 'Sign in with accounts of other services.',
    failed: 'The linked services could not be loaded.',
    notLinked: 'Not linked',
    linkedAs: (who: string, date: string) => `Linked as ${who} since ${date}`,
    linkedSince: (date: string) => `Linked since ${date}`,
    lastUsed: (date: string) => `Last used ${date}`,
    gone: 'No longer offered by this network.',
    link: 'Link',
    linkService: (name: string) => `Link ${name}`,
    unlink: 'Unlink',
    unlinkService: (name: string) => `Unlink ${name}`,
    confirm: {
      title: (name: string) => `Unlink ${name}`,
      text: (name: string) => `You will no longer be able to sign in with ${name}. You can link it again at any time.`,
      keep: 'Keep it',
    },
  },
}

export type Texts = typeof texts
