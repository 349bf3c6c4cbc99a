import { describe, expect, it } from 'vitest'
import { deviceOf } from './device.ts'

const mozilla = (rest: string) => `Mozilla/5.0 ${rest}`

describe('a device', () => {
  it.each([
    [
      mozilla('(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'),
      'computer Chrome Windows',
    ],
    [
      mozilla(
        '(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
      ),
      'computer Edge Windows',
    ],
    [mozilla('(X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0'), 'computer Firefox Linux'],
    [
      mozilla(
        '(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      ),
      'computer Safari macOS',
    ],
    [
      mozilla(
        '(iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      ),
      'phone Safari iOS',
    ],
    [
      mozilla(
        '(iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1',
      ),
      'phone Chrome iOS',
    ],
    [
      mozilla(
        '(Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
      ),
      'phone Chrome Android',
    ],
    [
      mozilla(
        '(Linux; Android 13; SM-X700) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0 Safari/537.36',
      ),
      'tablet Samsung Internet Android',
    ],
    [
      mozilla(
        '(Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/116.0 Mobile Safari/537.36 MicroMessenger/8.0.47',
      ),
      'phone WeChat Android',
    ],
    ['curl/8.5.0', 'program curl '],
    ['node', 'program Node.js '],
    ['tidenet-cli/0.1.0', 'program Tidenet CLI '],
    ['something of my own', 'unknown  '],
    ['', 'unknown  '],
  ])('%s is %s', (agent, expected) => {
    const { kind, program, system } = deviceOf(agent)
    expect(`${kind} ${program} ${system}`).toBe(expected)
  })

  it('parses any user agent quickly', () => {
    const before = process.cpuUsage().user
    deviceOf(`Version/1${' Android'.repeat(40)}${'a'.repeat(300)}`)
    expect(process.cpuUsage().user - before).toBeLessThan(500_000)
  })
})
