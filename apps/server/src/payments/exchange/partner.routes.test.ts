import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_EXCHANGE } from './config.ts'
import { type Partner, PartnerUnclear, partnerOf } from './partner.ts'
import { type SamplePartner, startSamplePartner } from './sample-exchange.fixture.ts'

/**
 * What every partner must do (docs/EXCHANGE.md). Runs against the stand-in; with EXCHANGE_PARTNER_URL, EXCHANGE_PARTNER_KEY and
 * EXCHANGE_PARTNER_ACCOUNT against another one, whose account it credits.
 */

const given = process.env.EXCHANGE_PARTNER_URL
let standIn: SamplePartner | undefined
let partner: Partner
let account = process.env.EXCHANGE_PARTNER_ACCOUNT ?? '100001'
beforeAll(async () => {
  standIn = given ? undefined : await startSamplePartner()
  const config = standIn?.config ?? { ...NO_EXCHANGE, url: given ?? '', key: process.env.EXCHANGE_PARTNER_KEY ?? '' }
  partner = partnerOf(config) as Partner
}, 60_000)
afterAll(() => standIn?.stop())

const key = () => `test-${randomUUID()}`

describe('a partner', () => {
  it('knows an account by its UID, which it keeps', async () => {
    const found = await partner.lookup(account)
    expect(found?.id).not.toBe('')
    account = found?.id ?? ''
    expect(await partner.lookup(account)).toEqual(found)
  })

  it('credits a key once, however often it is asked, also at once', async () => {
    const credit = { key: key(), account, points: 100 }
    const answers = await Promise.all(Array.from({ length: 10 }, () => partner.credit(credit)))
    expect(answers[0]).toMatchObject({ state: 'credited', account, points: 100 })
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await partner.find(credit.key)).toEqual(answers[0])
  })

  it('never credits a key after it was revoked', async () => {
    const credit = { key: key(), account, points: 100 }
    expect(await partner.revoke(credit.key)).toMatchObject({ state: 'refused' })
    expect(await partner.credit(credit)).toMatchObject({ state: 'refused' })
    expect(await partner.find(credit.key)).toMatchObject({ state: 'refused' })
  })

  it('does not revoke what it has credited', async () => {
    const credit = { key: key(), account, points: 100 }
    const credited = await partner.credit(credit)
    expect(await partner.revoke(credit.key)).toEqual(credited)
  })

  it('either credits or refuses if it is asked for both at once', async () => {
    const credit = { key: key(), account, points: 100 }
    const [one, other] = await Promise.all([partner.credit(credit), partner.revoke(credit.key)])
    expect(one.state).toBe(other.state)
  })

  it('refuses accounts that it does not know, and knows nothing of other keys', async () => {
    expect(await partner.lookup('nobody@invalid.example')).toBeUndefined()
    expect(await partner.credit({ key: key(), account: 'nobody', points: 100 })).toMatchObject({ state: 'refused' })
    expect(await partner.find(key())).toBeUndefined()
  })

  it.runIf(!given)('keeps its ledger when it is killed', async () => {
    const credit = { key: key(), account, points: 100 }
    const credited = await partner.credit(credit)
    await standIn?.restart()
    expect(await partner.find(credit.key)).toEqual(credited)
  })

  it.runIf(!given)('refuses callers without its key', async () => {
    const stranger = partnerOf({ ...(standIn as SamplePartner).config, key: 'another-key' }) as Partner
    await expect(stranger.lookup(account)).rejects.toThrow(PartnerUnclear)
    await expect(stranger.credit({ key: key(), account, points: 100 })).rejects.toThrow(PartnerUnclear)
  })
})
