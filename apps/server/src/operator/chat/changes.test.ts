import { describe, expect, it } from 'vitest'
import { addChanged, isEmpty, newChanges, putBack } from './changes.ts'

describe('changes that could not be sent', () => {
  it('are kept beside those of the same conversation that came meanwhile', () => {
    const [unsent, later] = [newChanges(), newChanges()]
    addChanged(unsent.conversations, 7, { first: 3, notes: ['a'] })
    addChanged(later.conversations, 7, { first: 0, notes: ['b'] })
    putBack(later, unsent)
    expect(later.conversations.get(7)).toEqual({ first: 3, notes: expect.arrayContaining(['a', 'b']) })
  })

  it('begin with the first message that was not sent', () => {
    const [unsent, later] = [newChanges(), newChanges()]
    addChanged(unsent.conversations, 7, { first: 3, notes: [] })
    addChanged(later.conversations, 7, { first: 5, notes: [] })
    putBack(later, unsent)
    expect(later.conversations.get(7)?.first).toBe(3)
  })

  it('include customers, accounts, plans and agents', () => {
    const [unsent, later] = [newChanges(), newChanges()]
    unsent.customers.add('a1')
    unsent.accounts.add(1)
    unsent.plans.add(2)
    unsent.agents = true
    expect(isEmpty(later)).toBe(true)
    putBack(later, unsent)
    expect(later).toEqual(unsent)
    expect(isEmpty(later)).toBe(false)
  })
})
