import type { Config } from '../../config.ts'

/** Share of the tariff that this network asks for. */
export const factorOf = ({ config }: { config: Pick<Config, 'priceFactor'> }): number => config.priceFactor
