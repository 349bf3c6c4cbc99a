import { expect, it } from 'vitest'
import { type ErrorKey, errors, errorText } from '../errors.ts'
import { exampleFacts } from './examples.ts'

it.each(['en', 'cn'] as const)('every error can be shown with examples (%s)', (lang) => {
  for (const key of Object.keys(errors) as ErrorKey[])
    expect(errorText(key, lang, exampleFacts(key)), key).not.toMatch(/NaN|undefined/)
})
