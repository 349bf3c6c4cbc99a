import { z } from 'zod'
import { route } from '../route.ts'
import { bucket, isWhole, OBJECT_KEY_MAX, OBJECT_TAGS_MAX, objectTag } from './s3-fields.ts'

/** They become headers of answers. */
const corsTexts = z.array(z.string().regex(/^[\x21-\x7e]{1,2048}$/)).max(500)
/** As JSON: anybody can make a gateway compare them with what a preflight asks for. */
const CORS_RULES_MAX = 128 * 1024
/** See `CorsRule` in packages/s3-wire. */
export const corsRule = z.object({
  id: z.string().max(255).refine(isWhole).optional(),
  allowedOrigins: corsTexts,
  allowedMethods: corsTexts,
  allowedHeaders: corsTexts,
  exposeHeaders: corsTexts,
  maxAgeSeconds: z.number().int().min(0).max(999_999_999_999_999).optional(),
})
export const corsRules = z
  .array(corsRule)
  .max(100)
  .refine((rules) => JSON.stringify(rules).length <= CORS_RULES_MAX)

const days = z
  .number()
  .int()
  .min(1)
  .max(2 ** 31 - 1)
const size = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
/** See `LifecycleRule` in packages/s3-wire. */
export const lifecycleRule = z.object({
  id: z.string().max(255).refine(isWhole).optional(),
  isEnabled: z.boolean(),
  filter: z.object({
    prefix: z.string().max(OBJECT_KEY_MAX).refine(isWhole).optional(),
    tags: z.array(objectTag).max(OBJECT_TAGS_MAX),
    sizeAbove: size.optional(),
    sizeBelow: size.optional(),
  }),
  expiration: z
    .union([
      z.strictObject({ days }),
      z.strictObject({ date: z.number().int().min(0).max(8.64e15) }),
      z.strictObject({ deleteMarkers: z.boolean() }),
    ])
    .optional(),
  noncurrentExpiration: z.object({ days, keep: z.number().int().min(1).max(100).optional() }).optional(),
  abortMultipartAfterDays: days.optional(),
})
export type LifecycleRuleOfBucket = z.infer<typeof lifecycleRule>
export const lifecycleRules = z.array(lifecycleRule).max(1000)

/** Of buckets. */
export const s3Settings = {
  settings: route({
    method: 'POST',
    path: '/api/v1/s3/settings',
    repeatable: true,
    auth: 'readFolder',
    input: z.object({ bucket }),
    output: z.object({
      versioning: z.enum(['', 'Enabled', 'Suspended']),
      cors: corsRules,
      /** None for a key that is limited to folders: prefixes begin at the bucket. */
      lifecycle: lifecycleRules,
    }),
    errors: ['folderUnknown'],
    summary: 'Returns the settings of a bucket',
  }),
  changeSettings: route({
    method: 'POST',
    path: '/api/v1/s3/change_settings',
    repeatable: true,
    auth: 'createFolder',
    input: z.object({
      bucket,
      /** Suspending needs the permission deleteFile, too. */
      versioning: z.enum(['Enabled', 'Suspended']).optional(),
      /** Empty: none. */
      cors: corsRules.optional(),
      /** Needs the permission deleteFile, too. */
      lifecycle: lifecycleRules.optional(),
    }),
    output: z.object({}),
    errors: ['folderUnknown', 'keyFolders', 'forbidden'],
    summary: 'Replaces settings of a bucket; those that are absent stay',
  }),
  cors: route({
    method: 'POST',
    path: '/api/v1/s3/cors',
    repeatable: true,
    auth: 'any',
    input: z.object({ bucket }),
    output: z.object({ rules: corsRules }),
    errors: [],
    summary: 'Returns the CORS rules of a bucket; none if there is no such bucket',
  }),
  corsOfKey: route({
    method: 'POST',
    path: '/api/v1/s3/cors_of_key',
    repeatable: true,
    auth: 'gateway',
    input: z.object({ bucket, access_key_id: z.string().max(128) }),
    output: z.object({ rules: corsRules }),
    errors: [],
    summary: 'For S3 gateways of the operator: the CORS rules of a bucket, as the account of an access key names it',
  }),
}
