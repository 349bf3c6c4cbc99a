import { describe, expect, it } from 'vitest'
import { arrival, arrive, forgetArrival } from './arrival.ts'

function takeArrival() {
  const taken = arrival()
  forgetArrival()
  return taken
}

describe('what the address of the console brings along', () => {
  it('is account and ticket, under either name, taken once', () => {
    for (const name of ['password', 'ticket']) {
      expect(arrive(`?account=tide1abc&${name}=tnt_x-Y_z`)).toBe(true)
      expect(takeArrival()).toEqual({ account: 'tide1abc', ticket: 'tnt_x-Y_z', password: '' })
      expect(takeArrival()).toBeUndefined()
    }
  })

  it('may be a password, which opens nothing by itself', () => {
    expect(arrive('?account=tide1abc&password=aB3%40%5B%5D%7B%7Dxyz')).toBe(true)
    expect(takeArrival()).toEqual({ account: 'tide1abc', ticket: '', password: 'aB3@[]{}xyz' })
  })

  it('keeps every sign of what it brings', () => {
    arrive('?account=1234&password=%2B12+3')
    expect(takeArrival()).toEqual({ account: '1234', ticket: '', password: '+12 3' })
  })

  it('is nothing in an address without either', () => {
    for (const search of ['', '?', '?next=%2Fconsole', '?account=&password='])
      expect([arrive(search), takeArrival()]).toEqual([false, undefined])
  })
})
