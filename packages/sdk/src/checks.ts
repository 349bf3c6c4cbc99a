import { SHORT_PASS } from '@tidenet/contract/constants'
import type { CodeName } from './codes.ts'
import { type Failure, type Say, Stop } from './result.ts'

/** Refuses input before anything is sent. Each throws Stop with the code that its name stands for. */
export function createChecks(say: Say) {
  const stop = (failure: Failure): never => {
    throw new Stop(failure)
  }
  const demand = (holds: boolean, code: CodeName) => {
    if (!holds) stop(say(code))
  }

  return {
    options: (value: unknown): void => demand(typeof value === 'object' && value !== null, 'optionsInvalid'),
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
    group: (value: unknown): void => demand(Number.isInteger(value), 'groupInvalid'),
    assetType: (value: unknown): void => demand([0, 1, 'file', 'folder'].includes(value as number), 'assetTypeInvalid'),
    expiry: (value: unknown): void => demand(Number.isInteger(value) && (value as number) > 0, 'expiryInvalid'),
    shareStatus: (value: unknown): void => demand(value === 0 || value === 1, 'shareError'),
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
