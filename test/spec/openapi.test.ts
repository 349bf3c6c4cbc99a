import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'

const read = () =>
  JSON.parse(readFileSync(new URL('../../docs/api/openapi.json', import.meta.url), 'utf8')) as {
    openapi: string
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  }

it('the OpenAPI document is valid', async () => {
  const { valid, errors } = await new Validator().validate(read())
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

it('a document with a list for `items`, or without the description of an answer, is not', async () => {
  const { valid } = await new Validator().validate({
    ...read(),
    paths: { '/a': { get: { responses: { '200': {} } } } },
  })
  expect(valid).toBe(false)
})

it('every operation says how malformed requests are answered, and what it answers itself', () => {
  for (const [path, operations] of Object.entries(read().paths))
    for (const [method, { responses }] of Object.entries(operations)) {
      const own = responses['200'] as { content?: object }
      expect([path, method, Object.keys(own.content ?? {}).length > 0]).toEqual([path, method, true])
      expect([path, Object.keys(responses)]).toEqual([path, expect.arrayContaining(['400', '429', '431', '503'])])
      if (method === 'post') expect(Object.keys(responses)).toEqual(expect.arrayContaining(['413', '415']))
    }
})
