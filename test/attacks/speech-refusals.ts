import { randomUUID } from 'node:crypto'
import { SPEECH_BYTES_MAX, SPEECH_PART, SPEECH_PART_MIN } from '@tidenet/contract'
import { wav } from '../../apps/server/src/compute/speech/speech.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import type { As, Person, TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import type { Provoke, Refused } from './refused.ts'

/** Refusals of speech to text. */
export function speechRefusals(env: () => TestEnv) {
  const upload = async (as: As, body: Buffer, fields: Record<string, string | number> = {}): Promise<Refused> => {
    const given = { id: randomUUID(), name: 'talk.wav', language: 'en', size: body.length, ...fields }
    const query = new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)]))
    const answer = await env().app.inject({
      method: 'POST',
      url: `/whisperapi/v1/upload?${query}`,
      payload: body,
      headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${as.token}`, lang: 'cn' },
    })
    return answer.json()
  }
  const queue = async (as: As): Promise<string> => {
    const id = randomUUID()
    await upload(as, wav(1), { id })
    return id
  }
  const finish = (id: string) =>
    env().db.run(sql`update speech_tasks set state = 'complete', has_audio = false where id = ${id}`)
  const fill = (person: Person, count: number) =>
    env().db.run(sql`
      insert into speech_tasks (user_id, id, name, language, size, state, day, has_audio, created_at, touched_at)
      select ${person.id}, gen_random_uuid(), 'talk', 'en', 1, 'complete', now()::date, false, now(), now() from generate_series(1, ${count})`)
  return {
    speechNoEngine: async (as) => {
      const { config } = env().context
      const { speech } = config
      config.speech = { ...speech, url: '' }
      const answer = await upload(as, wav(1))
      config.speech = speech
      return answer
    },
    speechBusy: async (as) => {
      const id = await queue(as)
      await env().db.run(sql`update speech_tasks set size = 1e11 where id = ${id}`)
      const answer = await upload(as, wav(1))
      await env().db.run(sql`delete from speech_tasks where id = ${id}`)
      return answer
    },
    speechNoUses: async (as) => {
      for (let i = 0; i < 3; i += 1) await finish(await queue(as))
      return upload(as, wav(1))
    },
    speechNoFile: (as) => upload(as, Buffer.alloc(0)),
    speechNoLanguage: (as) => upload(as, wav(1), { language: '' }),
    speechTooLarge: (as) => upload(as, wav(1), { size: SPEECH_BYTES_MAX + 1 }),
    speechType: (as) => upload(as, Buffer.from('a text, not a recording')),
    speechPart: (as) => upload(as, Buffer.alloc(SPEECH_PART + 1)),
    speechUnreadable: (as) => upload(as, wav(0)),
    speechDuration: async (as) => {
      const long = wav(601)
      const fields = { id: randomUUID(), size: long.length }
      const answers: Refused[] = []
      for (let offset = 0; offset < long.length; offset += SPEECH_PART)
        answers.push(await upload(as, long.subarray(offset, offset + SPEECH_PART), { ...fields, offset }))
      return answers.at(-1) as Refused
    },
    speechUnfinished: async (as) => {
      for (let i = 0; i < 3; i += 1) await upload(as, wav(20).subarray(0, SPEECH_PART_MIN), { size: 80_044 })
      return upload(as, wav(1))
    },
    speechFull: async (as, person) => {
      await fill(person, 500)
      return upload(as, wav(1))
    },
    speechUnknown: (as) => env().call('speech.status', { id: randomUUID() }, as),
    speechNoText: async (as) => env().call('speech.transcript', { id: await queue(as) }, as),
    speechChanged: async (as) => {
      const id = await queue(as)
      await finish(id)
      return env().call('speech.edit', { id, version: 7, changes: [{ index: 0, text: 'x' }] }, as)
    },
    speechLong: async (as) => {
      const id = await queue(as)
      await finish(id)
      await env().db.run(sql`
        insert into speech_segments (task_no, index, start_at, end_at, original)
        select t.no, i, 0, 0, 'x' from speech_tasks t, generate_series(0, 29) i where t.id = ${id}`)
      const changes = Array.from({ length: 30 }, (_, index) => ({ index, text: 'x'.repeat(4000) }))
      return env().call('speech.edit', { id, version: 0, changes }, as)
    },
    speechAudioGone: async (as) => {
      const id = await queue(as)
      await finish(id)
      return env().call('speech.audio', { id }, as)
    },
  } satisfies Record<string, Provoke>
}
