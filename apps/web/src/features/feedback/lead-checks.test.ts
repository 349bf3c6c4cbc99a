import { contract } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { type Lead, leadProblems, NAME_MAX, TEXT_MAX } from './lead-checks.ts'

const lead = (part: Partial<Lead> = {}): Lead => ({
  name: 'Ada',
  email: 'ada@mail.example',
  organisation: '',
  text: 'Ten terabytes a month, please.',
  ...part,
})

const isAccepted = (one: Lead) => contract.leads.create.input.safeParse({ kind: 'pcdn', ...one }).success

describe('a contact request', () => {
  it.each([
    ['with a name, an address and a text', {}],
    ['with spaces around them', { name: ' Ada ', email: ' ada@mail.example ' }],
    ['with a name and text of maximum length', { name: 'a'.repeat(NAME_MAX), text: '文'.repeat(TEXT_MAX) }],
    ['with several lines', { text: 'One\nTwo' }],
  ])('is accepted %s', (_, part) => {
    expect(leadProblems(lead(part))).toEqual({})
    expect(isAccepted(lead(part))).toBe(true)
  })

  it.each([
    ['no name', { name: '  ' }, { name: 'name' }],
    ['a long name', { name: 'a'.repeat(NAME_MAX + 1) }, { name: 'nameLong' }],
    ['a name of two lines', { name: 'Ada\nBcc: all' }, { name: 'nameForm' }],
    ['no address', { email: '' }, { email: 'emailMissing' }],
    ['no real address', { email: 'ada@mail' }, { email: 'emailInvalid' }],
    ['two addresses', { email: 'a@mail.example,b@mail.example' }, { email: 'emailInvalid' }],
    ['a long organisation', { organisation: 'a'.repeat(NAME_MAX + 1) }, { organisation: 'nameLong' }],
    ['no text', { text: '\n' }, { text: 'text' }],
    ['a long text', { text: 'a'.repeat(TEXT_MAX + 1) }, { text: 'textLong' }],
  ])('is refused with %s, by the form and by the server', (_, part, problems) => {
    expect(leadProblems(lead(part))).toEqual(problems)
    expect(isAccepted(lead(part))).toBe(false)
  })
})
