import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readProviders } from './providers.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidenet-providers-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const company = { id: 'company', name: 'Company', issuer: 'https://id.company.test', clientId: 'portal' }
const read = (list: unknown, env: Record<string, string> = {}) => readProviders(JSON.stringify(list), env)
const complaint = (setting: string, env: Record<string, string> = {}): string => {
  try {
    readProviders(setting, env)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('sign-in providers', () => {
  it('are empty by default', () => {
    expect(readProviders('', {})).toEqual([])
  })

  it('have a name in both languages, or one for both', () => {
    const [plain, both] = read([company, { ...company, id: 'other', name: { en: 'Tide', zh: '潮汐' } }])
    expect(plain).toMatchObject({ kind: 'oidc', name: { en: 'Company', cn: 'Company' } })
    expect(both?.name).toEqual({ en: 'Tide', cn: '潮汐' })
    expect(plain?.scopes).toContain('openid')
  })

  it('include the URLs of GitHub', () => {
    const [github] = read([{ id: 'github', name: 'GitHub', kind: 'github', clientId: 'x' }])
    expect(github).toMatchObject({ kind: 'github', userinfoUrl: 'https://api.github.com/user' })
  })

  it('read their secret from a variable, from a file, or have none', () => {
    writeFileSync(join(folder, 'secret'), 'from a file\n')
    const list = [
      { ...company, clientSecretFile: 'secret' },
      { ...company, id: 'b', clientSecretEnv: 'COMPANY_SECRET' },
      { ...company, id: 'c' },
    ]
    const file = join(folder, 'providers.json')
    writeFileSync(file, JSON.stringify(list))
    const providers = readProviders(file, { COMPANY_SECRET: 'from a variable' })
    expect(providers.map(({ secret }) => secret())).toEqual(['from a file', 'from a variable', ''])
    expect(JSON.stringify(providers)).not.toContain('from a')
  })
})

describe('an invalid setting', () => {
  it('is reported with all errors, by index and field', () => {
    const list = [
      { ...company, issuer: 'http://id.company.test', clientId: '' },
      { ...company, id: 'Not This' },
      { kind: 'saml' },
      'text',
      { ...company, id: 'twice' },
      { ...company, id: 'twice', scopes: ['email'] },
      { ...company, id: 'twice', clientSecretEnv: 'MISSING' },
      { ...company, id: 'files', clientSecretFile: join(folder, 'missing') },
      { ...company, id: 'both', clientSecretFile: 'a', clientSecretEnv: 'b' },
    ]
    const text = complaint(JSON.stringify(list))
    for (const part of [
      '1. issuer',
      '1. clientId',
      '2. id',
      '3. kind',
      '4. ',
      '6. scopes',
      '7. id',
      '7. clientSecretEnv',
    ])
      expect(text).toContain(part)
    for (const part of ['8. clientSecretFile', '9. clientSecretFile']) expect(text).toContain(part)
    expect(text).not.toContain('5. ')
  })

  it.each([
    ['a secret that stands there openly', JSON.stringify([{ ...company, clientSecret: 'hush-hush' }])],
    ['a list that is broken behind a secret', '[{"clientSecret": "hush-hush"'],
    ['a secret in what is no list', JSON.stringify({ ...company, clientSecret: 'hush-hush' })],
    ['a secret in the wrong field', JSON.stringify([{ ...company, clientSecretEnv: 7, clientAuth: 'hush-hush' }])],
  ])('never shows %s', (_, setting) => {
    const text = complaint(setting)
    expect(text).not.toBe('')
    expect(text).not.toContain('hush-hush')
  })

  it.each(['{}', 'null', '/nowhere/providers.json'])('is %s', (setting) => {
    expect(complaint(setting)).toContain('TIDENET_SIGN_IN_PROVIDERS')
  })

  it.each(['ftp://id.test', 'http://10.0.0.1', 'https://', 'id.test'])('is an issuer %s', (issuer) => {
    expect(complaint(JSON.stringify([{ ...company, issuer }]))).toContain('issuer')
  })
})
