import { errors as catalogue } from '@tidenet/contract'
import { SPEECH_PART, SPEECH_PART_MIN } from '@tidenet/contract/speech'
import { expect, it } from 'vitest'
import { ApiError } from '../../lib/api.ts'
import { isResumable, isTemporary, nextPartSize } from './retry.ts'

const errors = {
  network: new ApiError('network', ''),
  server: new ApiError('server', ''),
  minute: new ApiError('busy', '', undefined, { seconds: 20 }),
  day: new ApiError('busy', '', undefined, { seconds: 50_000 }),
  full: new ApiError('refused', '', catalogue.speechBusy.err),
  type: new ApiError('refused', '', catalogue.speechType.err),
  uses: new ApiError('refused', '', catalogue.speechNoUses.err),
  session: new ApiError('session', ''),
}

it.each(['network', 'server', 'minute'] as const)('repeats a part after %s', (name) =>
  expect(isTemporary(errors[name])).toBe(true),
)
it.each(['day', 'full', 'type', 'uses', 'session'] as const)('does not repeat a part by itself after %s', (name) =>
  expect(isTemporary(errors[name])).toBe(false),
)
it.each(['network', 'server', 'minute', 'day', 'full'] as const)('an upload can continue after %s', (name) =>
  expect(isResumable(errors[name])).toBe(true),
)
it.each(['type', 'uses'] as const)('an upload cannot continue after %s', (name) =>
  expect(isResumable(errors[name])).toBe(false),
)

it('parts become smaller while they are lost, and larger again while they are quick', () => {
  expect(nextPartSize(SPEECH_PART, undefined)).toBe(SPEECH_PART / 2)
  expect(nextPartSize(SPEECH_PART_MIN, undefined)).toBe(SPEECH_PART_MIN)
  expect(nextPartSize(SPEECH_PART_MIN, 20)).toBe(SPEECH_PART_MIN)
  expect(nextPartSize(SPEECH_PART_MIN, 1)).toBe(2 * SPEECH_PART_MIN)
  expect(nextPartSize(SPEECH_PART, 1)).toBe(SPEECH_PART)
})
