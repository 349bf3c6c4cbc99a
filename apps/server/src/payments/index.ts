/** The public functions of this domain. */
export { isAnchorLate } from './anchors/anchors.ts'
export {
  closeDispute,
  countOpenDisputes,
  type DisputeRow,
  lockDispute,
  pageOfDisputes,
  toWireDispute,
} from './earnings/disputes.ts'
export { sumsByDay as earnedByDay } from './earnings/read-repository.ts'
export {
  countStuckExchanges,
  exchangeTotals,
  type OperatedExchange,
  pageOfExchanges,
  refundExchange,
  retryExchange,
  setExchangeRate,
  showExchange,
} from './exchange/admin.ts'
export { readOffer as readExchangeOffer } from './exchange/service.ts'
export { toWireRate } from './exchange/wire.ts'
export { listClaims, pendingClaims } from './faucet/repository.ts'
export { countObligations } from './obligations/obligations.ts'
export { lateCredits } from './orders/credits-repository.ts'
export { lastOrders, type OrderToWatch, ordersOfDashboard, pageOfOrderEvents, readOffers } from './orders/read.ts'
export { pendingRedemptions } from './rewards/repository.ts'
export { grantPoints, type Points, pointsOf } from './rewards/service.ts'
