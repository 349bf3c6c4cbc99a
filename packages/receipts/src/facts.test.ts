import { describe, expect, it } from 'vitest'
import { type ReceiptClaims, receiptClaims } from './claims.ts'
import { factsOf } from './facts.ts'
import { DAY, SAMPLES } from './network.fixture.ts'
import { receiptTexts as en } from './texts-en.ts'
import { receiptTexts as zh } from './texts-zh.ts'

const claimsOf = (stated: object): ReceiptClaims =>
  receiptClaims.parse({ iss: 'tidenet-log-00000000', id: 7, index: 6, iat: DAY, ...stated })
const fact = (stated: object, name: string) => factsOf(claimsOf(stated)).find((each) => each.name === name)

describe('the facts of a receipt', () => {
  it.each(Object.values(SAMPLES))('of kind $kind leave out nothing but keys and signatures', (stated) => {
    const names = factsOf(claimsOf(stated)).map(({ name }) => name)
    const amount = stated.kind === 'refund' || stated.kind === 'outage' ? ['amount'] : []
    const wanted = Object.keys(stated)
      .filter((key) => !/^(kind|units|decimals|\w+_(key|signature))$/.test(key))
      .map((key) => (stated.kind === 'node_hour' && key === 'signed' ? 'earning' : key))
    expect(names.toSorted()).toEqual([...wanted, ...amount, 'id', 'iat'].toSorted())
  })

  it('tell the signed traffic of a download from the part of an hour that may earn', () => {
    expect(fact(SAMPLES.download, 'signed')?.value).toBe(SAMPLES.download.signed)
    expect(fact(SAMPLES.node_hour, 'earning')?.value).toBe(SAMPLES.node_hour.signed)
  })

  it.each([
    ['12500000', 6, '12.5'],
    ['12000000', 6, '12'],
    ['1', 6, '0.000001'],
    ['0', 6, '0'],
    ['100', 0, '100'],
    ['99999999999999999999999999999999999999', 38, '0.99999999999999999999999999999999999999'],
  ])('have the exact amount of %s units with %i decimals', (units, decimals, amount) =>
    expect(fact({ ...SAMPLES.refund, units, decimals }, 'amount')?.value).toBe(amount),
  )

  it('have a name and words in both languages', () => {
    const words = Object.values(SAMPLES).flatMap((stated) =>
      factsOf(claimsOf(stated)).filter(({ form }) => form === 'word'),
    )
    for (const { value } of words) for (const texts of [en, zh]) expect(texts.words[value]).toBeTruthy()
    expect(Object.keys(zh.words)).toEqual(Object.keys(en.words))
  })
})
