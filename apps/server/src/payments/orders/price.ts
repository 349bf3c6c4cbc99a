import type { PaymentsConfig } from '../config.ts'

/** Factor on the tariff. */
export const factorOf = ({ config }: { config: Pick<PaymentsConfig, 'priceFactor'> }): number => config.priceFactor
