import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StartError } from '@tidenet/daemon'
import { z } from 'zod'
import { readUrl } from '../../platform/read-url.ts'

interface AnyProvider {
  /** Part of the callback URL. */
  id: string
  name: { en: string; cn: string }
  clientId: string
  /** Empty for a public client. A function, so that printing the configuration does not reveal it. */
  secret: () => string
  scopes: readonly string[]
  /** Client authentication; default: as the service advertises. */
  clientAuth?: 'basic' | 'post' | undefined
}

/** OpenID Connect with discovery. */
export interface OidcProvider extends AnyProvider {
  kind: 'oidc'
  issuer: string
}

/** OAuth 2 of GitHub: no discovery, and the user comes from an API call. */
export interface GithubProvider extends AnyProvider {
  kind: 'github'
  /** Expected `iss` of responses; default: the folder of `tokenUrl`. */
  issuer?: string | undefined
  authorizationUrl: string
  tokenUrl: string
  /** Returns `{ id, login, name }`. */
  userinfoUrl: string
  /** Returns `[{ email, primary, verified }]`; undefined: addresses are not requested. */
  emailsUrl?: string | undefined
}

export type SignInProvider = OidcProvider | GithubProvider

const SETTING = 'TIDENET_SIGN_IN_PROVIDERS'
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** HTTPS, because secrets and tokens are sent; plain HTTP is allowed on this machine. */
const url = z.string({ error: 'is needed' }).refine(
  (text) => {
    const parsed = readUrl(text)
    return parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && LOOPBACK.has(parsed.hostname))
  },
  { error: 'expected an address that begins with https://' },
)
const word = z.string({ error: 'is needed' }).trim().min(1, 'is needed').max(200, 'is too long')
const name = word.max(40, 'is too long')

const shared = {
  id: z
    .string({ error: 'is needed' })
    .regex(/^[a-z][a-z\d-]{0,30}$/, 'expected lower-case letters, digits and hyphens, such as my-company'),
  name: z
    .union([name, z.strictObject({ en: name, zh: name })], { error: 'expected a name, or { "en": …, "zh": … }' })
    .transform((given) => (typeof given === 'string' ? { en: given, cn: given } : { en: given.en, cn: given.zh })),
  clientId: word,
  clientSecretFile: word.optional(),
  clientSecretEnv: word.optional(),
  clientAuth: z.enum(['basic', 'post'], { error: 'expected basic or post' }).optional(),
}
const scopes = z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/), { error: 'expected a list of texts' })

const oidc = z.strictObject({
  ...shared,
  kind: z.literal('oidc').default('oidc'),
  issuer: url,
  scopes: scopes
    .refine((list) => list.includes('openid'), { error: 'must contain openid' })
    .default(['openid', 'email', 'profile']),
})
const github = z.strictObject({
  ...shared,
  kind: z.literal('github'),
  issuer: url.optional(),
  authorizationUrl: url.default('https://github.com/login/oauth/authorize'),
  tokenUrl: url.default('https://github.com/login/oauth/access_token'),
  userinfoUrl: url.default('https://api.github.com/user'),
  emailsUrl: url.optional(),
  scopes: scopes.default(['read:user', 'user:email']),
})

/**
 * @param setting a JSON list, or the path of a file with one; paths in the file are relative to its folder
 * @throws StartError that names all errors, but no values, because they can be secrets
 */
export function readProviders(
  setting: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly SignInProvider[] {
  if (setting === '') return []
  const inline = /^[[{"]/.test(setting)
  const folder = inline ? '.' : dirname(setting)
  const wrong: string[] = []
  const found: SignInProvider[] = []
  for (const [index, entry] of readList(setting, inline).entries()) {
    const where = `${index + 1}.`
    const kind = (entry as { kind?: unknown } | null)?.kind ?? 'oidc'
    if (kind !== 'oidc' && kind !== 'github') {
      wrong.push(`${where} kind: expected oidc or github`)
      continue
    }
    const parsed = (kind === 'oidc' ? oidc : github).safeParse(entry)
    if (!parsed.success) {
      for (const issue of parsed.error.issues) wrong.push(`${where} ${describe(issue)}`)
      continue
    }
    const { clientSecretFile, clientSecretEnv, ...provider } = parsed.data
    if (found.some(({ id }) => id === provider.id)) wrong.push(`${where} id: ${provider.id} is there twice`)
    const secret = readSecret({ clientSecretFile, clientSecretEnv }, folder, env)
    if (secret.wrong) wrong.push(`${where} ${secret.wrong}`)
    found.push({ ...provider, secret: () => secret.value })
  }
  if (wrong.length > 0) throw new StartError(`${SETTING} is not right:\n${wrong.map((line) => `  ${line}`).join('\n')}`)
  return found
}

function readList(setting: string, inline: boolean): unknown[] {
  try {
    const list: unknown = JSON.parse(inline ? setting : readFileSync(setting, 'utf8'))
    if (Array.isArray(list)) return list
  } catch (error) {
    // The message of the parser repeats the input.
    const { code } = error as NodeJS.ErrnoException
    if (!inline && code) throw new StartError(`${SETTING}: the file ${setting} cannot be read (${code}).`)
  }
  throw new StartError(`${SETTING}: expected a JSON list, or the path of a file that holds one.`)
}

/** Names the field and what is expected, never its value. */
function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .map((key) =>
        key === 'clientSecret'
          ? 'clientSecret: name a file or a variable instead'
          : `${key.slice(0, 40)}: is not known`,
      )
      .join(', ')
  const field = issue.path.join('.')
  return field === '' ? 'expected an object' : `${field}: ${issue.message}`
}

function readSecret(
  given: { clientSecretFile: string | undefined; clientSecretEnv: string | undefined },
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): { value: string; wrong?: string } {
  const { clientSecretFile: file, clientSecretEnv: variable } = given
  if (file && variable) return { value: '', wrong: 'clientSecretFile, clientSecretEnv: expected one of the two' }
  if (variable) {
    const value = env[variable]?.trim() ?? ''
    return value === '' ? { value, wrong: `clientSecretEnv: ${variable} is not set` } : { value }
  }
  if (!file) return { value: '' }
  try {
    const value = readFileSync(resolve(folder, file), 'utf8').trim()
    return value === '' ? { value, wrong: `clientSecretFile: ${file} is empty` } : { value }
  } catch (error) {
    return { value: '', wrong: `clientSecretFile: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
}
