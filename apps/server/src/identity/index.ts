/** What other domains may use. */
export { lockAccount } from './accounts/accounts.ts'
export { holdUser } from './accounts/hold.ts'
export { limitsOf } from './accounts/limits.ts'
export { hashKey } from './sessions/authenticate.ts'
export { dropTickets, endOpenSessions } from './sessions/repository.ts'
export { readAddress } from './wallets/proofs.ts'
export { findOwner, findWallets } from './wallets/repository.ts'
export { boundWallet } from './wallets/service.ts'
