import { SHORT_PASS } from '@tidenet/contract/constants'
import { ASSET_TYPES, SHARE } from '@tidenet/contract/storage-words'
import type { CodeName } from './codes.ts'
import { OPTIONS, type OptionsName, optionPhrase, unknownOption } from './options.ts'
import { type Failure, type Say, Stop } from './result.ts'

/** The largest number that a folder can have. */
const GROUP_MAX = 2_147_483_647

/** Refuses input before anything is sent. Each throws Stop with the code that its name stands for. */
export function createChecks(say: Say) {
  const stop = (failure: Failure): never => {
    throw new Stop(failure)
  }
  const demand = (holds: boolean, code: CodeName) => {
    if (!holds) stop(say(code))
  }

  return {
    /** An object with no option that there is none of: whoever misspelt one would get something else than they asked for. */
    options: (value: unknown, of: OptionsName, within = ''): void => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Stop(say('optionsInvalid'))
      const unknown = unknownOption(value, OPTIONS[of])
      if (unknown) stop(say('optionsInvalid', optionPhrase(unknown, of, within)))
    },
    asset: (value: unknown): void =>
      demand(typeof value === 'object' && value !== null && !Array.isArray(value), 'assetNotObject'),
    name: (value: unknown): void => demand(typeof value === 'string' && value.trim() !== '', 'nameMissing'),
    id: (value: unknown): void => demand(isId(value), 'idMissing'),
    /** A CID or the number of a folder; -1 and nothing are neither. */
    assetId: (value: unknown): void => demand(isId(value) && String(value) !== '-1', 'assetIdError'),
    cid: (value: unknown): void => demand(typeof value === 'string' && value.trim() !== '', 'idMissing'),
    parent: (value: unknown): void => demand(Number.isInteger(value) && (value as number) >= 0, 'parentInvalid'),
    page: (value: unknown): void => demand(Number.isInteger(value) && (value as number) > 0, 'pageInvalid'),
    pageSize: (value: unknown): void => demand(Number.isInteger(value) && (value as number) > 0, 'pageSizeInvalid'),
    areas: (value: unknown): void => demand(value === undefined || Array.isArray(value), 'areaNotArray'),
    /** The number of a folder; `least` 0 lets it be the root, -1 an anonymous file. */
    group: (value: unknown, least: -1 | 0 | 1): void => {
      if (!Number.isInteger(value)) stop(say('groupInvalid'))
      if ((value as number) < least || (value as number) > GROUP_MAX)
        stop(say('groupInvalid', { phrase: 'groupNumber', fill: [least] }))
    },
    assetType: (value: unknown): void => demand([0, 1, ...ASSET_TYPES].includes(value as number), 'assetTypeInvalid'),
    expiry: (value: unknown): void => demand(Number.isInteger(value) && (value as number) > 0, 'expiryInvalid'),
    shareStatus: (value: unknown): void => demand(value === SHARE.off || value === SHARE.on, 'shareError'),
    shortPass: (value: unknown): void =>
      demand(value === '' || (typeof value === 'string' && SHORT_PASS.test(value)), 'shortPassInvalid'),
    urls: (value: unknown): void => demand(Array.isArray(value) && value.length > 0, 'noDownloadAddress'),
    itemId: (cid: unknown, groupId: unknown): void => {
      if (!isId(cid) && !isId(groupId)) stop(say('idMissing', { phrase: 'itemIdMissing' }))
    },
  }
}

export type Checks = ReturnType<typeof createChecks>

function isId(value: unknown): boolean {
  return (typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && Number.isFinite(value))
}
