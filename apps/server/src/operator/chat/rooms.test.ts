import { CHAT_STREAMS, CHAT_STREAMS_KEPT, CHAT_STREAMS_PER_NETWORK } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { createRooms, type Kind } from './rooms.ts'

/** Opens as many streams of a kind as there is room for, from ever new networks. */
function fill(rooms: ReturnType<typeof createRooms>, kind: Kind, name: string = kind) {
  const places = []
  for (let each = 0; each <= CHAT_STREAMS; each++) {
    const network = `${name} ${Math.floor(each / CHAT_STREAMS_PER_NETWORK)}`
    if (!rooms.hasRoom(kind, network)) break
    places.push(rooms.enter(kind, network))
  }
  return places
}

describe('room for streams', () => {
  it('remains for accounts and for visitors who have written, however many networks newcomers have', () => {
    const rooms = createRooms()
    fill(rooms, 'newcomer')
    expect(rooms.hasRoom('newcomer', 'new')).toBe(false)
    expect(fill(rooms, 'account').length).toBeGreaterThan(1000)
    expect(fill(rooms, 'visitor').length).toBeGreaterThanOrEqual(CHAT_STREAMS_KEPT)
  })

  it('remains for accounts when visitors have written', () => {
    const rooms = createRooms()
    fill(rooms, 'newcomer')
    fill(rooms, 'visitor')
    expect(fill(rooms, 'account').length).toBeGreaterThan(1000)
  })

  it('remains for visitors when accounts are many', () => {
    const rooms = createRooms()
    fill(rooms, 'account')
    expect(fill(rooms, 'newcomer').length).toBeGreaterThan(100)
    expect(fill(rooms, 'visitor').length).toBeGreaterThanOrEqual(CHAT_STREAMS_KEPT)
  })

  it('returns when streams end, also for a visitor who wrote meanwhile', () => {
    const rooms = createRooms()
    const places = fill(rooms, 'newcomer')
    places[0]?.promote()
    places[0]?.promote()
    expect(rooms.hasRoom('newcomer', 'new')).toBe(true)
    for (const place of places) place.leave()
    expect(fill(rooms, 'newcomer')).toHaveLength(places.length)
  })
})

describe('refused are', () => {
  it('more streams than one network can have, and than a server can hold', () => {
    const rooms = createRooms()
    for (let each = 0; each < CHAT_STREAMS_PER_NETWORK; each++) rooms.enter('account', 'one')
    expect(rooms.hasRoom('account', 'one')).toBe(false)
    expect(rooms.hasRoom('account', 'other')).toBe(true)
    for (const kind of ['account', 'visitor', 'newcomer'] as const) fill(rooms, kind)
    for (const kind of ['account', 'visitor', 'newcomer'] as const) expect(rooms.hasRoom(kind, 'new')).toBe(false)
  })
})
