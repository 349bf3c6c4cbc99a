/** The public functions of this domain. */
export { readOffers } from './orders/read.ts'
export { grantPoints, type Points, pointsOf } from './rewards/service.ts'
