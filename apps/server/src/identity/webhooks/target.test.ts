import { AppError } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { readTarget } from './target.ts'

const refused = (url: string, privateToo = false) => expect(() => readTarget(url, privateToo)).toThrow(AppError)

describe('the URL of a webhook', () => {
  it.each([
    ['https://hooks.example.org/a?b=c', 'hooks.example.org'],
    ['https://hooks.example.org:8443/', 'hooks.example.org:8443'],
    ['HTTPS://HOOKS.example.org', 'hooks.example.org'],
    ['https://8.8.8.8/', '8.8.8.8'],
    ['https://[2606:4700::1111]/', '[2606:4700::1111]'],
  ])('%s is accepted', (url, host) => {
    expect(readTarget(url, false).host).toBe(host)
  })

  it('loses its fragment, which is never sent', () => {
    expect(readTarget('https://hooks.example.org/a#b', false).url).toBe('https://hooks.example.org/a')
  })

  it('may be private and without TLS where the server allows it', () => {
    expect(readTarget('http://127.0.0.1:80/', true).host).toBe('127.0.0.1')
  })

  it.each([
    'http://hooks.example.org/',
    'ftp://hooks.example.org/',
    'file:///etc/passwd',
    'hooks.example.org',
    '',
    'https://',
    'https://user:pass@hooks.example.org/',
    'https://user@hooks.example.org/',
    'https://hooks.example.org:25/',
    'https://hooks.example.org:22/',
    'https://hooks.example.org:80/',
    'https://hooks.example.org:0/',
    'https://hooks.example.org:70000/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://0.0.0.0/',
    'https://0/',
    'https://10.0.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://①②⑦.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
  ])('%s is refused', (url) => refused(url))

  it.each(['file:///etc/passwd', 'https://user:pass@127.0.0.1/', 'gopher://127.0.0.1/'])(
    '%s is refused even where private addresses are allowed',
    (url) => refused(url, true),
  )
})
