export const SIGN_IN_WAYS = ['password', 'code', 'wallet', 'passkey', 'identity'] as const
export type SignInWay = (typeof SIGN_IN_WAYS)[number]

export const SECOND_FACTORS = ['totp', 'passkey', 'recovery'] as const
export type SecondFactor = (typeof SECOND_FACTORS)[number]
