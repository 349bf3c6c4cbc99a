import { isIP } from 'node:net'
import { z } from 'zod'

/** Values of variables that are separated by commas. @param is what each of them must be @param expected how to say so */
export const listOf = (is: (text: string) => boolean, expected: string) =>
  z
    .string()
    .default('')
    .transform((text, context) => {
      const values = text
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean)
      if (!values.every(is)) context.addIssue({ code: 'custom', message: `expected ${expected}` })
      return values
    })

export const isHostName = (text: string): boolean => /^[a-z\d-]+(\.[a-z\d-]+)+$/.test(text)
export const isAddress = (text: string): boolean => isIP(text) > 0

/** Of the directory of an ACME server. */
export const acmeDirectory = z.url({ protocol: /^https$/, error: 'expected the address of an ACME directory' })
