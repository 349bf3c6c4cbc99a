import { createHash, timingSafeEqual } from 'node:crypto'
import type { IdentityConfig } from '../config.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether it is the secret of the operator's S3 gateways. Without one, there are none. */
export const isGatewaySecret = ({ s3GatewaySecret }: Pick<IdentityConfig, 's3GatewaySecret'>, given: string): boolean =>
  s3GatewaySecret !== '' && timingSafeEqual(digest(given), digest(s3GatewaySecret))
