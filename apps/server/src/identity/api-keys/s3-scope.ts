import { S3_PRESIGNED_LIFE } from '@tidenet/contract'
import { type Scope, scopeText } from '@tidenet/daemon'
import { DAY } from '../../platform/ago.ts'

/** Whether requests that were signed on this day can be valid: a presigned one is for seven days. Clients' clocks may be a day ahead. */
export function isRecent(date: string, at: number): boolean {
  const start = Date.parse(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00Z`)
  return start - DAY <= at && at <= start + DAY + S3_PRESIGNED_LIFE
}

/** Whether a string to sign is for this day, region and service: that of a request, or the policy of a form. */
export function isForScope(stringToSign: string, accessId: string, scope: Scope): boolean {
  const [algorithm, time = '', signed] = stringToSign.split('\n')
  if (algorithm === 'AWS4-HMAC-SHA256')
    return /^\d{8}T\d{6}Z$/.test(time) && time.startsWith(scope.date) && signed === scopeText(scope)
  return credentialsOfPolicy(stringToSign).includes(`${accessId}/${scopeText(scope)}`)
}

/** `{"conditions": [{"x-amz-credential": "…"}, ["eq", "$x-amz-credential", "…"]]}`, in base64. */
function credentialsOfPolicy(base64: string): unknown[] {
  try {
    const policy = JSON.parse(Buffer.from(base64, 'base64').toString()) as { conditions: unknown[] }
    return policy.conditions.flatMap((condition) => {
      if (Array.isArray(condition))
        return condition[0] === 'eq' && isCredential(String(condition[1]).slice(1)) ? [condition[2]] : []
      return Object.entries(condition as object).flatMap(([name, value]) => (isCredential(name) ? [value] : []))
    })
  } catch {
    return []
  }
}

const isCredential = (name: string): boolean => name.toLowerCase() === 'x-amz-credential'
