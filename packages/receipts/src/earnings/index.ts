export { type Earned, HINDRANCES, type Hindrance, type NodeHour } from './node-hour.ts'
export { type DayStatement, type HourDifference, type Recomputed, recompute } from './recompute.ts'
export { EARNING_VERSIONS, earningsOf, versionOfHour } from './versions.ts'
