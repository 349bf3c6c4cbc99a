export { connectToRelay, type DeviceConnection, type DeviceOptions, type RelayPlace } from './device.ts'
export type { Pace } from './fair-share.ts'
export { createPlaces, RELAY_LIMITS, type RelayLimits } from './limits.ts'
export { type Relay, type RelayCounts, type RelayOptions, startRelay } from './relay.ts'
