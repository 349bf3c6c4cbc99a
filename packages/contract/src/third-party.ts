/** Third-party replicas: copies on other storage networks. */

/** What an account agrees to copy to third parties. */
export const THIRD_PARTY_CHOICES = ['off', 'encrypted', 'all'] as const
export type ThirdPartyChoice = (typeof THIRD_PARTY_CHOICES)[number]

/** `queued`: not sent yet; `failed`: will be tried again; `removing`: the provider was asked to delete it, or will be. */
export const THIRD_PARTY_STATES = ['queued', 'inProgress', 'stored', 'failed', 'removing'] as const
export type ThirdPartyState = (typeof THIRD_PARTY_STATES)[number]

/**
 * Why a replica is late or failed. `providerQueue`: waits at the provider; `slow`: the provider needs longer than it usually does;
 * `unreachable`: the provider does not answer; `refused`: it answered with an error; `lost`: it no longer has it; `unverified`: it says that
 * it stores the content, but random blocks could not be read back; `source`: no node could send the content; `origin`: the provider has no
 * address to fetch it from; `unconfigured`: the provider is no longer in the settings.
 */
export const THIRD_PARTY_REASONS = [
  'providerQueue',
  'slow',
  'unreachable',
  'refused',
  'lost',
  'unverified',
  'source',
  'origin',
  'unconfigured',
] as const
export type ThirdPartyReason = (typeof THIRD_PARTY_REASONS)[number]

export const THIRD_PARTY_KINDS = ['kubo', 'pinning', 'simulation'] as const
export type ThirdPartyKind = (typeof THIRD_PARTY_KINDS)[number]

/** Why a content has no third-party replicas. `noAgreement`: the account did not agree for this content. */
export const THIRD_PARTY_EXCLUSIONS = ['noProvider', 'plan', 'noAgreement', 'areas', 'unconfirmed'] as const
export type ThirdPartyExclusion = (typeof THIRD_PARTY_EXCLUSIONS)[number]

/** Spec 9: 5 to 10 replicas of a content on third-party networks. */
export const THIRD_PARTY_COPIES = { vip: 5, enterprise: 10 } as const
/** Spec 9: validity of a third-party replica in days. */
export const THIRD_PARTY_DAYS = { min: 360, max: 549 } as const
/** Spec 4: how long a third-party replica usually takes, in hours. */
export const THIRD_PARTY_HOURS = 48
/** Owners are told this many days before a replica expires that is not renewed. */
export const THIRD_PARTY_WARNING_DAYS = 7
