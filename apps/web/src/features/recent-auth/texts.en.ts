export const texts = {
  title: 'First, confirm that it is you',
  text: 'This is an important change to your account, and you signed in more than ten minutes ago.',
  password: 'Your password',
  code: 'Code from your authenticator app',
  go: 'Confirm',
  passkey: 'Confirm with a passkey',
  none: 'This account has neither a password nor a second factor for this. Sign in again to make changes within ten minutes.',
  signInAgain: 'Sign in again',
  codeProblem: 'Enter the six digits that the app shows.',
}

export type Texts = typeof texts
