/** The public functions of this domain. */
export { closeDispute, type DisputeRow, lockDispute, pageOfDisputes, toWireDispute } from './earnings/disputes.ts'
export { lastOrders, readOffers } from './orders/read.ts'
export { grantPoints, type Points, pointsOf } from './rewards/service.ts'
