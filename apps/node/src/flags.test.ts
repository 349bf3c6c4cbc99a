import { StartError } from '@tidenet/daemon/start-error'
import { describe, expect, it } from 'vitest'
import { readFlags } from './flags.ts'
import { VERSION } from './server-link.ts'

describe('the command line of a node', () => {
  it('says what variables say', () => {
    expect(readFlags(['--server', 'http://portal', '--place=50.1,-8.7', '--kind=validator', '--port', '0'])).toEqual({
      env: {
        TIDENET_SERVER: 'http://portal',
        TIDENET_NODE_LAT: '50.1',
        TIDENET_NODE_LNG: '-8.7',
        TIDENET_NODE_KIND: 'validator',
        TIDENET_NODE_PORT: '0',
      },
    })
    expect(readFlags([])).toEqual({ env: {} })
  })

  it('tells the version and what may be said', () => {
    expect(readFlags(['--server', 'x', '--version'])).toEqual({ print: VERSION })
    const asked = readFlags(['--help'])
    expect('print' in asked && asked.print).toContain('--join-token')
  })
})

it.each([[['--servr', 'x']], [['x']], [['--server']], [['--server', '--data', 'x']], [['--place', '50']]])(
  'refused is %j',
  (argv) => expect(() => readFlags(argv)).toThrow(StartError),
)
