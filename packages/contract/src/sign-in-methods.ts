export const SIGN_IN_METHODS = ['password', 'code', 'wallet', 'passkey', 'identity'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

export const SECOND_FACTORS = ['totp', 'passkey', 'recovery'] as const
export type SecondFactor = (typeof SECOND_FACTORS)[number]
