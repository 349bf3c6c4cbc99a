import { SHORT_PASS } from '@tidenet/contract/constants'
import { ASSET_TYPES, ON_CONFLICT, type OnConflict, SHARE } from '@tidenet/contract/storage-enums'
import type { CodeName } from './codes.ts'
import { OPTIONS, type OptionsName, optionPhrase, unknownOption } from './options.ts'
import { type Failure, Stop, type ToFailure } from './result.ts'

/** Largest folder id. */
const GROUP_MAX = 2_147_483_647

/** Validates input before a request is sent. Each check throws Stop with the matching code. */
export function createChecks(toFailure: ToFailure) {
  const stop = (failure: Failure): never => {
    throw new Stop(failure)
  }
  const ensure = (holds: boolean, code: CodeName) => {
    if (!holds) stop(toFailure(code))
  }

  return {
    /** Refuses unknown options, so that a misspelt option is not silently ignored. */
    options: (value: unknown, of: OptionsName, within = ''): void => {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new Stop(toFailure('optionsInvalid'))
      const unknown = unknownOption(value, OPTIONS[of])
      if (unknown) stop(toFailure('optionsInvalid', optionPhrase(unknown, of, within)))
    },
    asset: (value: unknown): void =>
      ensure(typeof value === 'object' && value !== null && !Array.isArray(value), 'assetNotObject'),
    name: (value: unknown): void => ensure(typeof value === 'string' && value.trim() !== '', 'nameMissing'),
    id: (value: unknown): void => ensure(isId(value), 'idMissing'),
    /** A CID or a folder id; not -1. */
    assetId: (value: unknown): void => ensure(isId(value) && String(value) !== '-1', 'assetIdError'),
    cid: (value: unknown): void => ensure(typeof value === 'string' && value.trim() !== '', 'idMissing'),
    parent: (value: unknown): void => ensure(Number.isInteger(value) && (value as number) >= 0, 'parentInvalid'),
    page: (value: unknown): void => ensure(Number.isInteger(value) && (value as number) > 0, 'pageInvalid'),
    pageSize: (value: unknown): void => ensure(Number.isInteger(value) && (value as number) > 0, 'pageSizeInvalid'),
    areas: (value: unknown): void => ensure(value === undefined || Array.isArray(value), 'areaNotArray'),
    /** A folder id. `least` 0 also allows the root, -1 also an anonymous file. */
    group: (value: unknown, least: -1 | 0 | 1): void => {
      if (!Number.isInteger(value)) stop(toFailure('groupInvalid'))
      if ((value as number) < least || (value as number) > GROUP_MAX)
        stop(toFailure('groupInvalid', { phrase: 'groupNumber', fill: [least] }))
    },
    assetType: (value: unknown): void => ensure([0, 1, ...ASSET_TYPES].includes(value as number), 'assetTypeInvalid'),
    onConflict: (value: unknown): void => ensure(ON_CONFLICT.includes(value as OnConflict), 'optionsInvalid'),
    expiry: (value: unknown): void => ensure(Number.isInteger(value) && (value as number) > 0, 'expiryInvalid'),
    shareStatus: (value: unknown): void => ensure(value === SHARE.off || value === SHARE.on, 'shareError'),
    shortPass: (value: unknown): void =>
      ensure(value === '' || (typeof value === 'string' && SHORT_PASS.test(value)), 'shortPassInvalid'),
    urls: (value: unknown): void => ensure(Array.isArray(value) && value.length > 0, 'noDownloadAddress'),
    itemId: (cid: unknown, groupId: unknown): void => {
      if (!isId(cid) && !isId(groupId)) stop(toFailure('idMissing', { phrase: 'itemIdMissing' }))
    },
  }
}

export type Checks = ReturnType<typeof createChecks>

function isId(value: unknown): boolean {
  return (typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && Number.isFinite(value))
}
