import { readConfig } from '@tidenet/daemon'
import { z } from 'zod'
import type { Env } from '../platform/config.ts'

export interface OperatorConfig {
  /** E-mail address for contact requests; empty: they are only stored. */
  operatorMail: string
}

/** @throws ConfigError naming the variable if it is wrong */
export function readOperatorConfig(env: Env): OperatorConfig {
  const address = z.email('expected an e-mail address').or(z.literal('')).default('')
  return readConfig({ operatorMail: { from: 'TIDENET_OPERATOR_MAIL', type: address } }, env)
}
