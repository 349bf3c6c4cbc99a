import { StartError } from '@tidenet/daemon/start-error'
import { describe, expect, it } from 'vitest'
import { readFlags } from './flags.ts'
import { VERSION } from './server-link.ts'

describe('the command line of a node', () => {
  it('has the same settings as environment variables', () => {
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
    expect(readFlags(['--place', '-33.9,151.2', '--port', '1', '--port=2', '--name', '-x'])).toEqual({
      env: { TIDENET_NODE_LAT: '-33.9', TIDENET_NODE_LNG: '151.2', TIDENET_NODE_PORT: '2', TIDENET_NODE_NAME: '-x' },
    })
  })

  it('prints the version and the options', () => {
    expect(readFlags(['--server', 'x', '--version'])).toEqual({ print: VERSION })
    const asked = readFlags(['--help'])
    expect('print' in asked && asked.print).toContain('--join-token')
  })
})

it.each([
  [['--servr', 'x'], 'Unknown option: --servr. See tidenet-node --help.'],
  [['--Server=x'], 'Unknown option: --Server=x. See tidenet-node --help.'],
  [['--port', '1', 'x'], 'Unknown option: x. See tidenet-node --help.'],
  [['-xs'], 'Unknown option: -xs. See tidenet-node --help.'],
  [['-s', 'x'], 'Unknown option: -s. See tidenet-node --help.'],
  [['--', '--port', '1'], 'Unknown option: --. See tidenet-node --help.'],
  [['--server'], '--server needs <url>.'],
  [['--server='], '--server needs <url>.'],
  [['--server', ''], '--server needs <url>.'],
  [['--server', '--data', 'x'], '--server needs <url>.'],
  [['--place', '50'], '--place must be <lat,lng>, such as 50.1,8.7.'],
])('refused is %j', (argv, message) => expect(() => readFlags(argv)).toThrow(new StartError(message)))
