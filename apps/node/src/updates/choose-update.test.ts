import { describe, expect, it } from 'vitest'
import { chooseUpdate, isAmong, openManifest } from './choose-update.ts'
import { factsOf, makeKey, manifestOf, NODE_ID, signatureOf } from './sample-release.fixture.ts'

const DAY = 24 * 3600_000
const now = 1000 * DAY
const own = factsOf(10 * DAY)
const bytes = Buffer.from('a program')
const key = makeKey()

const open = (text: Buffer, keys = [key.text], signer = key) =>
  openManifest(text, signatureOf(text, signer.privateKey), keys)
const choose = (facts: Parameters<typeof manifestOf>[1], change = {}, more = {}) =>
  chooseUpdate(open(manifestOf(bytes, facts, change)), { release: own, seen: 0, nodeId: NODE_ID, now, ...more })

describe('an update', () => {
  it('is the file of this program for this platform, in a newer release', () => {
    expect(choose(factsOf(20 * DAY, '1.1.0'))).toMatchObject({ version: '1.1.0', size: bytes.length })
  })

  it('may have the same version: a release is made again to exchange its keys', () => {
    expect(choose(factsOf(20 * DAY))).toBeDefined()
  })

  it('may be signed by either key while keys are exchanged', () => {
    const next = makeKey()
    const text = manifestOf(bytes, factsOf(20 * DAY))
    expect(open(text, [key.text, next.text], next).time).toBe(20 * DAY)
  })
})

describe('the order of devices', () => {
  const ids = Array.from({ length: 2000 }, (_, index) => `e_${index}`)

  it('gives the asked share of them, and a greater share includes the smaller one', () => {
    const tenth = ids.filter((id) => isAmong(id, '1.1.0', 10))
    expect(tenth.length).toBeGreaterThan(140)
    expect(tenth.length).toBeLessThan(260)
    for (const id of tenth) expect(isAmong(id, '1.1.0', 30)).toBe(true)
    expect(ids.every((id) => isAmong(id, '1.1.0', 100))).toBe(true)
    expect(ids.some((id) => isAmong(id, '1.1.0', 0))).toBe(false)
  })

  it('differs from release to release', () => {
    const first = (version: string) => ids.filter((id) => isAmong(id, version, 10))
    expect(first('1.1.0').filter((id) => first('1.2.0').includes(id)).length).toBeLessThan(60)
  })

  it('keeps a device waiting until its share is reached', () => {
    const percent = Array.from({ length: 101 }, (_, each) => each).find((each) => isAmong(NODE_ID, '1.1.0', each)) ?? 0
    const facts = factsOf(20 * DAY, '1.1.0')
    expect(choose(facts, { percent: percent - 1 })).toBeUndefined()
    expect(choose(facts, { percent })).toBeDefined()
  })
})

describe('refused is', () => {
  it.each([
    ['an older version in a newer release', factsOf(20 * DAY, '0.9.9'), {}, {}],
    ['an older release', factsOf(9 * DAY, '1.1.0'), {}, {}],
    ['this release again', own, {}, {}],
    ['an older release than one that was offered before', factsOf(20 * DAY, '1.1.0'), {}, { seen: 21 * DAY }],
    ['a release from the future', factsOf(now + 2 * DAY, '1.1.0'), {}, {}],
    ['a release without a file for this platform', { ...factsOf(20 * DAY), platform: 'linux-arm64' }, {}, {}],
    ['a text instead of a version', factsOf(20 * DAY, 'latest'), {}, {}],
  ])('%s', (_, facts, change, more) => {
    expect(choose(facts, change, more)).toBeUndefined()
  })

  const text = manifestOf(bytes, factsOf(20 * DAY))
  it.each([
    ['a manifest that another key signed', () => open(text, [key.text], makeKey())],
    ['any manifest without a key', () => open(text, [])],
    [
      'a changed manifest',
      () => openManifest(Buffer.concat([text, Buffer.from(' ')]), signatureOf(text, key.privateKey), [key.text]),
    ],
    ['an empty signature', () => openManifest(text, '', [key.text])],
    ['another format', () => open(manifestOf(bytes, factsOf(20 * DAY), { format: 2 as 1 }))],
    [
      'a path instead of a file name',
      () => open(Buffer.from(text.toString().replace('tidenet-node-linux-x64', '../../x'))),
    ],
  ])('%s', (_, ask) => {
    expect(ask).toThrow()
  })
})
