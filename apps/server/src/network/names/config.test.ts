import { describe, expect, it } from 'vitest'
import { NO_NAMES, readNamesConfig } from './config.ts'

const ZONE = 'nodes.example.net'
const DIRECTORY = 'https://acme-v02.api.letsencrypt.org/directory'
const PUBLIC = { TIDENET_ZONE: ZONE, TIDENET_ACME: DIRECTORY }
const DNS = {
  TIDENET_DNS: '192.0.2.1:53',
  TIDENET_NAMESERVERS: 'ns1.example.net, ns2.example.org',
  TIDENET_CAA: 'letsencrypt.org; accounturi=https://acme-v02.api.letsencrypt.org/acme/acct/1',
}

describe('names of nodes', () => {
  it('are off without a zone', () => {
    expect(readNamesConfig({})).toEqual(NO_NAMES)
    expect(readNamesConfig({ TIDENET_ZONE: '' })).toEqual(NO_NAMES)
  })

  it('can have the CA of this installation, on one machine', () => {
    expect(readNamesConfig({ TIDENET_TLS: 'local' })).toMatchObject({ zone: 'nodes.localhost', tls: 'local' })
    expect(readNamesConfig({ TIDENET_TLS: 'local', TIDENET_ZONE: ZONE })).toMatchObject({ zone: ZONE, tls: 'local' })
  })

  it('can have public CAs, with accounts of their web sites', () => {
    const given = {
      ...PUBLIC,
      ...DNS,
      TIDENET_ACME_FALLBACK: 'https://dv.acme-v02.api.pki.goog/directory',
      TIDENET_ACME_FALLBACK_EAB: 'key-1:c2VjcmV0',
      TIDENET_ACME_WEEKLY: '500',
      TIDENET_CAA: 'letsencrypt.org,pki.goog',
    }
    expect(readNamesConfig(given, 'https://portal.example.org')).toMatchObject({
      zone: ZONE,
      tls: 'acme',
      acme: {
        authorities: [
          { directory: DIRECTORY },
          {
            directory: 'https://dv.acme-v02.api.pki.goog/directory',
            externalAccount: { kid: 'key-1', hmacKey: 'c2VjcmV0' },
          },
        ],
        issuers: ['letsencrypt.org', 'pki.goog'],
        weekly: 500,
      },
      dns: { host: '192.0.2.1', port: 53 },
      nameservers: ['ns1.example.net', 'ns2.example.org'],
    })
  })

  it('need no name server on every server', () => {
    expect(readNamesConfig(PUBLIC).dns).toBeUndefined()
  })
})

describe('settings of names are refused', () => {
  it.each([
    ['a zone without a CA', { TIDENET_ZONE: ZONE }, ''],
    ['a CA without a zone', { TIDENET_ACME: DIRECTORY }, ''],
    ['two kinds of CAs', { ...PUBLIC, TIDENET_TLS: 'local' }, ''],
    ['a name server without names', { ...PUBLIC, TIDENET_DNS: '192.0.2.1:53' }, ''],
    ['a name server that lets every CA issue', { ...PUBLIC, ...DNS, TIDENET_CAA: '' }, ''],
    ['name servers whose names are those of nodes', { ...PUBLIC, ...DNS, TIDENET_NAMESERVERS: `ns1.${ZONE}` }, ''],
    ['the portal in the zone of strangers', PUBLIC, `https://portal.${ZONE}`],
    ['the zone of strangers below the portal', PUBLIC, 'https://example.net'],
  ])('%s', (_, env, portal) => {
    expect(() => readNamesConfig(env, portal)).toThrow()
  })

  it.each([
    { TIDENET_ACME: 'http://ca.example.net/directory' },
    { TIDENET_ACME_EAB: 'no colon' },
    { TIDENET_ACME_WEEKLY: '0' },
    { TIDENET_ZONE: 'nodes' },
    { TIDENET_CAA: 'not a name' },
    { TIDENET_CAA: 'letsencrypt.org; accounturi=javascript:1' },
    { TIDENET_DNS: 'ns1.example.net:53' },
  ])('%j', (wrong) => {
    expect(() => readNamesConfig({ ...PUBLIC, ...wrong })).toThrow(Object.keys(wrong)[0])
  })
})
