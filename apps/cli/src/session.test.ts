import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clearSession, readSession, readUrl, saveSession, signedIn, unfinishedUploads } from './session.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-session-'))
  for (const name of ['TIDENET_URL', 'TIDENET_TOKEN']) vi.stubEnv(name, '')
  vi.stubEnv('TIDENET_CONFIG', join(folder, 'config'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const session = { url: 'https://portal.example', token: 'secret' }

describe('a session', () => {
  it('is kept where only its owner reads it', () => {
    saveSession(session)
    expect(readSession()).toEqual(session)
    expect(statSync(join(folder, 'config')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'config/session.json')).mode & 0o777).toBe(0o600)
  })

  it('closes a file that was open to others', () => {
    saveSession(session)
    writeFileSync(join(folder, 'config/session.json'), '{}', { mode: 0o644 })
    saveSession(session)
    expect(statSync(join(folder, 'config/session.json')).mode & 0o777).toBe(0o600)
  })

  it('is deleted, the portal’s URL is kept', () => {
    saveSession(session)
    clearSession()
    expect(readSession()).toEqual({ ...session, token: '' })
  })

  it('comes from the environment first', () => {
    saveSession(session)
    vi.stubEnv('TIDENET_TOKEN', 'other')
    expect(readSession()).toEqual({ ...session, token: 'other' })
  })

  it('is sent to no other portal', () => {
    saveSession(session)
    vi.stubEnv('TIDENET_URL', 'https://elsewhere.example/')
    expect(readSession()).toEqual({ url: 'https://elsewhere.example', token: '' })
    vi.stubEnv('TIDENET_URL', 'https://portal.example/')
    expect(readSession()).toEqual(session)
  })

  it('that cannot be read is none', () => {
    saveSession(session)
    writeFileSync(join(folder, 'config/session.json'), 'nonsense')
    expect(readSession().token).toBe('')
    expect(() => signedIn()).toThrow(expect.objectContaining({ exit: 'signIn' }))
  })

  it.each(['portal.example', 'ftp://portal.example', 'file:///etc', ''])('takes no address such as %j', (url) => {
    expect(() => readUrl(url)).toThrow(expect.objectContaining({ exit: 'usage' }))
  })
})

describe('a folder that cannot be made', () => {
  beforeEach(() => {
    writeFileSync(join(folder, 'file'), '')
    vi.stubEnv('TIDENET_CONFIG', join(folder, 'file/config'))
  })

  it('does not keep programs with a token from uploading', () => {
    vi.stubEnv('TIDENET_TOKEN', 'secret')
    expect(signedIn()).toBeDefined()
    expect(unfinishedUploads()).toBeUndefined()
  })

  it('keeps no session, and the refusal names what to set', () => {
    expect(() => saveSession(session)).toThrow(
      expect.objectContaining({ message: expect.stringContaining('TIDENET_CONFIG') }),
    )
  })
})
