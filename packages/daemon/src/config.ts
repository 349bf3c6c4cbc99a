import { z } from 'zod'
import { StartError } from './start-error.ts'

/** Invalid settings; `wrong` has one line per setting. */
export class ConfigError extends StartError {
  readonly wrong: readonly string[]

  constructor(wrong: readonly string[]) {
    super(`The configuration is not right:\n${wrong.join('\n')}`)
    this.wrong = wrong
  }
}

/**
 * Reads a program's configuration from environment variables.
 * @param fields variable name and zod type of each setting
 * @throws ConfigError listing all invalid settings
 */
export function readConfig<S extends Record<string, { from: string; type: z.ZodType }>>(
  fields: S,
  env: Readonly<Record<string, string | undefined>>,
): { [K in keyof S]: z.output<S[K]['type']> } {
  const wrong: string[] = []
  const config: Record<string, unknown> = {}
  for (const [key, { from, type }] of Object.entries(fields)) {
    const text = env[from]?.trim()
    const parsed = type.safeParse(text === '' ? undefined : text)
    if (parsed.success) config[key] = parsed.data
    else wrong.push(`  ${from}=${text ?? ''}: ${parsed.error.issues.map((issue) => issue.message).join(', ')}`)
  }
  if (wrong.length > 0) throw new ConfigError(wrong)
  return config as { [K in keyof S]: z.output<S[K]['type']> }
}

/** A TCP port; 0 for any free one. */
export const port = (byDefault: number) => z.coerce.number().int().min(0).max(65_535).default(byDefault)

/**
 * An IP address and a port: `0.0.0.0:53` or `[::]:53`.
 * @param expected what the message says after "expected"
 */
export const addressAndPort = (expected: string) =>
  z
    .string()
    .regex(/^(?:[\d.]+|\[[\da-f:.]+\]):\d{1,5}$/i, `expected ${expected}`)
    .transform((text) => {
      const at = text.lastIndexOf(':')
      return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) }
    })

/** A number of bytes: `10737418240`, `10GiB`, `500 MB`. */
export const byteCount = z.string().transform((text, context) => {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?$/i.exec(text)
  if (!match) {
    context.addIssue({ code: 'custom', message: 'expected a number of bytes such as 10GiB' })
    return z.NEVER
  }
  const power = ['', 'k', 'm', 'g', 't'].indexOf((match[2] ?? '').toLowerCase())
  return Math.floor(Number(match[1]) * (match[3] || power === 0 ? 1024 : 1000) ** power)
})
