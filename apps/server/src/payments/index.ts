/** What other domains may use. */
export { readOffers } from './orders/read.ts'
export { grantPoints, type Points, pointsOf } from './rewards/service.ts'
