import type { PaymentsConfig } from '../config.ts'

/** Share of the tariff that this network asks for. */
export const factorOf = ({ config }: { config: Pick<PaymentsConfig, 'priceFactor'> }): number => config.priceFactor
