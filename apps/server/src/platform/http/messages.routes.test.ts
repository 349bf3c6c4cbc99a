import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'

let world: TestEnv
let person: Person
beforeAll(async () => {
  world = await setup()
  person = await world.person()
})
afterAll(() => world.close())

it.each([
  ['en', 'success'],
  ['cn', '成功'],
] as const)('what was done and has nothing to tell says so in one word, in %s', async (lang, word) => {
  const as = { token: person.token, lang }
  const folder = async () =>
    (await world.call('folders.create', { name: crypto.randomUUID().slice(0, 8) }, as)).data.group.ID
  const [one, two] = [await folder(), await folder()]
  const { trace_id } = (await world.call('traces.report', { state: 1, transfer_type: 'upload' }, as)).data
  const answers = [
    await world.call('folders.rename', { group_id: one, new_name: lang }, as),
    await world.call('folders.move', { group_id: one, target_group_id: two }, as),
    await world.call('folders.remove', { group_id: two }, as),
    await world.call('traces.report', { trace_id, state: 1, transfer_type: 'upload' }, as),
    await world.call(
      'uploads.cancel',
      { trace_id: (await world.call('uploads.info', { size: 10 }, as)).data?.TraceID ?? '' },
      as,
    ),
  ]
  expect(answers.map(({ data }) => data?.msg)).toEqual(answers.map(() => word))
})
