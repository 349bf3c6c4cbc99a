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

const taken = (one: Lead) => contract.leads.create.input.safeParse({ kind: 'pcdn', ...one }).success

describe('a message to the operators', () => {
  it.each([
    ['with a name, an address and a text', {}],
    ['with blanks around them', { name: ' Ada ', email: ' ada@mail.example ' }],
    ['of just the longest name and text', { name: 'a'.repeat(NAME_MAX), text: '文'.repeat(TEXT_MAX) }],
    ['of several lines', { text: 'One\nTwo' }],
  ])('may be sent %s', (_, part) => {
    expect(leadProblems(lead(part))).toEqual({})
    expect(taken(lead(part))).toBe(true)
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
  ])('is refused with %s, here as by the server', (_, part, problems) => {
    expect(leadProblems(lead(part))).toEqual(problems)
    expect(taken(lead(part))).toBe(false)
  })
})
