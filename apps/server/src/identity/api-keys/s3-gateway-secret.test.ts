import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '@tidenet/daemon'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../config.ts'
import { isGatewaySecret } from './s3-gateway-secret.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tidenet-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const load = (env: Record<string, string> = {}) =>
  loadConfig({ DATABASE_URL: 'postgresql://unused', TIDENET_DATA: data, ...env })
const SECRET = 'x'.repeat(32)

describe('the secret of gateways', () => {
  it('is made at the first start, for its owner only, and is the same at the next', () => {
    const { s3GatewaySecret } = load()
    const file = join(data, 'secrets', 's3-gateway.key')
    expect(s3GatewaySecret).toMatch(/^[0-9a-f]{64}$/)
    expect(readFileSync(file, 'utf8').trim()).toBe(s3GatewaySecret)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(load().s3GatewaySecret).toBe(s3GatewaySecret)
    expect(load().secret.toString('hex')).not.toBe(s3GatewaySecret)
  })

  it('can be set, and no file is made then', () => {
    expect(load({ TIDENET_S3_GATEWAY_SECRET: SECRET }).s3GatewaySecret).toBe(SECRET)
    expect(readdirSync(join(data, 'secrets'))).toEqual(['server.key'])
  })

  it('is not made by a server that is given its secrets', () => {
    expect(load({ TIDENET_SECRET: '0'.repeat(64) }).s3GatewaySecret).toBe('')
    expect(readdirSync(data)).toEqual([])
  })

  it.each(['short', 'x'.repeat(31), 'with spaces '.repeat(4)])('is refused if it is %j', (secret) => {
    expect(() => load({ TIDENET_S3_GATEWAY_SECRET: secret })).toThrow(StartError)
  })

  it('is refused if its file was damaged', () => {
    load()
    writeFileSync(join(data, 'secrets', 's3-gateway.key'), '')
    expect(() => load()).toThrow(StartError)
  })

  it('admits nobody else, and nobody at all without one', () => {
    expect(isGatewaySecret({ s3GatewaySecret: SECRET }, SECRET)).toBe(true)
    for (const wrong of ['', `${SECRET}x`, SECRET.slice(1), SECRET.toUpperCase()])
      expect(isGatewaySecret({ s3GatewaySecret: SECRET }, wrong)).toBe(false)
    expect(isGatewaySecret({ s3GatewaySecret: '' }, '')).toBe(false)
  })
})
