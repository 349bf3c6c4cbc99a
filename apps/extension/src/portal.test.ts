import { describe, expect, it } from 'vitest'
import { load, PortalError, readPortal } from './portal.ts'

const connection = { portal: 'https://portal.test', key: 'secret' }
const answering = (data: unknown) => async () => new Response(JSON.stringify(data))
const problemOf = async (get: typeof fetch) => {
  try {
    await load(connection, get)
  } catch (error) {
    return error instanceof PortalError ? error.problem : error
  }
}

describe('the address of a portal', () => {
  it.each([
    ['https://portal.test', 'https://portal.test'],
    ['portal.test', 'https://portal.test'],
    [' https://portal.test/devices?x=1 ', 'https://portal.test'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
  ])('%s', (typed, portal) => expect(readPortal(typed)).toBe(portal))

  it.each([
    '',
    ' ',
    'http://portal.test',
    'http://localhost.evil.test',
    'ftp://portal.test',
    'javascript:alert(1)',
    'https://me@portal.test',
  ])('refused is %j', (typed) => expect(() => readPortal(typed)).toThrow(PortalError))
})

describe('devices and earnings', () => {
  it('are asked for at this portal alone, with the key in a header', async () => {
    const asked: Request[] = []
    await load(connection, async (url, init) => {
      asked.push(new Request(url as string, init))
      return new Response(JSON.stringify({ code: 0, data: {} }))
    })
    expect(asked.map(({ url }) => new URL(url).origin)).toEqual(['https://portal.test', 'https://portal.test'])
    for (const { headers, url, redirect } of asked) {
      expect([headers.get('jwtauthorization'), redirect]).toEqual(['Bearer secret', 'error'])
      expect(url).not.toContain('secret')
    }
  })

  it.each([
    [{ code: 401 }, 'refused'],
    [{ code: -1, err: 1028 }, 'permission'],
    [{ code: -1, err: 1020 }, 'away'],
  ])('%j is told apart', async (answer, problem) => {
    expect(await problemOf(answering(answer) as typeof fetch)).toBe(problem)
  })

  it('a portal that does not answer, or with something else, is away', async () => {
    expect(await problemOf(async () => Promise.reject(new Error('no')))).toBe('away')
    expect(await problemOf(async () => new Response('<html>'))).toBe('away')
  })
})
