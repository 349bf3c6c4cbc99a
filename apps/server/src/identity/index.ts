/** The public functions of this domain. */
export {
  type AccountUsage,
  findAccountUsage,
  lockAccountForUpdate,
  lockUidForUpdate,
  setUnlisted,
  takeUploadReceipt,
  takeUploadReceipts,
} from './accounts/accounts.ts'
export {
  type AccountRow,
  type AccountState,
  accountFigures,
  findAccount,
  findAgents,
  findOperators,
  findPlanDates,
  lockAccountsForNoKeyUpdate,
  lockNamedForNoKeyUpdate,
  pageOfAccounts,
  setLock,
  setPlan,
  setRole,
} from './accounts/administration.ts'
export {
  beginErasing,
  cancelClosing,
  findClosing,
  findErasing,
  findToErase,
  finishErasing,
  postponeClosing,
  startClosing,
} from './accounts/closing.ts'
export { closeGuestAccount, openGuestAccount } from './accounts/guests.ts'
export { freeStorageOf, limitsOf } from './accounts/limits.ts'
export { hashPassword, verifyPassword } from './accounts/passwords.ts'
export {
  accountsOf,
  enterpriseAccounts,
  idsOf,
  idsOfNamed,
  idsOfUidOrEmail,
  type Plan,
  paidAccounts,
  paidBytes,
  plansOf,
  storedBytes,
} from './accounts/people.ts'
export { changePlanDates, planMonth, quotaSince } from './accounts/plan-months.ts'
export {
  countKeyTraffic,
  isTrafficCapped,
  leaveKeyTraffic,
  releaseKeySpending,
  reserveKeyTraffic,
  spendByKey,
} from './api-keys/caps.ts'
export {
  closeImportAccess,
  isKeyUsable,
  openImportAccess,
  renewImportAccess,
} from './api-keys/import-tokens.ts'
export { admits } from './api-keys/ip-list.ts'
export { endProgramKey, folderOfKey, folderOfProgramKey } from './api-keys/member-of-key.ts'
export { ownerOfAccessKey } from './api-keys/s3-repository.ts'
export { keyNames, keysUsed, usableAdminKeys } from './api-keys/service.ts'
export { findFormerEmails } from './emails/service.ts'
export { checkCode, PURPOSES, sendCode } from './entry/codes.ts'
export { hiddenNotices, notify } from './notifications/notify.ts'
export { choicesOf as notificationChoices, setChoice as setNotificationChoice } from './notifications/repository.ts'
export { deviceOf } from './sessions/device.ts'
export { placeOf } from './sessions/place.ts'
export { requireRecentAuth } from './sessions/recent-auth.ts'
export {
  endOtherSessions,
  endSessionsOf,
  pageOfSignIns,
  sessionAgents,
  sessionsSeen,
  stillOpen,
} from './sessions/service.ts'
export { publicSessionKeys } from './sessions/session-keys.ts'
export { ownedTeams, teamNames } from './teams/repository.ts'
export { countSolelyOwned } from './teams/service.ts'
export { readAddress } from './wallets/proofs.ts'
export { countWallets, findOwner, findWallets, requireLinkedWallet } from './wallets/service.ts'
export { emitEvent, findListeners, findListenersOf } from './webhooks/emit.ts'
export { findTroubled as troubledWebhooks } from './webhooks/repository.ts'
