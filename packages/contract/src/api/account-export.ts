import { z } from 'zod'
import { nothing } from '../fields.ts'
import { route } from '../route.ts'

/** Everything that an account has, except the bytes of its files. */
export const accountExport = {
  get: route({
    method: 'GET',
    path: '/api/v1/user/export',
    auth: 'admin',
    shape: 'raw',
    media: 'application/json',
    input: nothing,
    output: z.string(),
    errors: [],
    limit: 20,
    summary:
      'Streams everything about the account as one JSON document, without secrets. With an API key, what only a person may see is left out: sign-ins, sessions, activity, messages and transcripts',
  }),
}
