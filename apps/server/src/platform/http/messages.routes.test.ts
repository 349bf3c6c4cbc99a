import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
let person: Person
beforeAll(async () => {
  env = await setup()
  person = await env.person()
})
afterAll(() => env.close())

it.each([
  ['en', 'success'],
  ['cn', '成功'],
] as const)('answers with one word if there is no data to return (%s)', async (lang, word) => {
  const as = { token: person.token, lang }
  const folder = async () =>
    (await env.call('folders.create', { name: crypto.randomUUID().slice(0, 8) }, as)).data.group.ID
  const [one, two] = [await folder(), await folder()]
  const { trace_id } = (await env.call('traces.report', { state: 1, transfer_type: 'upload' }, as)).data
  const answers = [
    await env.call('folders.rename', { group_id: one, new_name: lang }, as),
    await env.call('folders.move', { group_id: one, target_group_id: two }, as),
    await env.call('folders.remove', { group_id: two }, as),
    await env.call('traces.report', { trace_id, state: 1, transfer_type: 'upload' }, as),
    await env.call(
      'uploads.cancel',
      { trace_id: (await env.call('uploads.info', { size: 10 }, as)).data?.TraceID ?? '' },
      as,
    ),
  ]
  expect(answers.map(({ data }) => data?.msg)).toEqual(answers.map(() => word))
})
