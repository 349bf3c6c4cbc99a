import { describe, expect, it } from 'vitest'
import { addressOf, labelOf, readLabel } from './labels.ts'

const workspace = '0123456789ab'

describe('the address of a program', () => {
  it('has program and workspace, and each port after the first', () => {
    const shop = { program: 'my-shop-2', workspace }
    expect(addressOf('https://apps.example.com', shop, [80, 8080], 80)).toBe(
      'https://my-shop-2-0123456789ab.apps.example.com',
    )
    expect(addressOf('http://localhost:8090', shop, [80, 8080], 8080)).toBe(
      'http://my-shop-2-0123456789ab-8080.localhost:8090',
    )
    expect(addressOf('', shop, [80], 80)).toBe('')
  })

  it('is read back from the host that a client asks for', () => {
    expect(labelOf('Web-0123456789AB.apps.example.com:443', 'apps.example.com')).toBe('web-0123456789ab')
    expect(labelOf('web-0123456789ab.localhost.', 'localhost')).toBe('web-0123456789ab')
    expect(readLabel('my-shop-2-0123456789ab')).toEqual({ program: 'my-shop-2', workspace })
    expect(readLabel('web-0123456789ab-8080')).toEqual({ program: 'web', workspace, port: 8080 })
  })
})

describe('refused are', () => {
  it.each([
    'apps.example.com',
    'a.b.apps.example.com',
    'web.apps.example.org',
    'evilapps.example.com',
    '',
    '.apps.example.com',
  ])('the host %j', (host) => expect(labelOf(host, 'apps.example.com')).toBeUndefined())

  it.each([
    'web',
    'web-0123456789a',
    '-0123456789ab',
    '1web-0123456789ab',
    'web--0123456789ab',
    'web-0123456789ab-0',
    'web-0123456789ab-65536',
    'web-0123456789ab-080',
  ])('the label %j', (label) => expect(readLabel(label)).toBeUndefined())
})
