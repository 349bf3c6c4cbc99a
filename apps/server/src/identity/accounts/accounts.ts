/** Accounts, as the other modules know them. */
export { findCredentials, findProfile, holdAccount, insertUser, lockAccount, setPassword } from './repository.ts'
