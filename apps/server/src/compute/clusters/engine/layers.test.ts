import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeNameFiles } from './layers.ts'

let own: string
beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), 'layers-'))
})
afterEach(() => rmSync(own, { recursive: true, force: true }))

const names = { name: 'machine', server: '10.89.0.1', podman: true }
const resolver = () => join(own, 'etc', 'resolv.conf')

describe('name files of a container', () => {
  it('are on its own disk', () => {
    expect(writeNameFiles(own, names).map(({ target }) => target)).toEqual([
      '/etc/hosts',
      '/etc/hostname',
      '/etc/resolv.conf',
      '/run/.containerenv',
    ])
    expect(readFileSync(resolver(), 'utf8')).toContain('nameserver 10.89.0.1\n')
  })

  it('keep changes of the program while the DNS server stays the same', () => {
    writeNameFiles(own, names)
    const changed = 'nameserver 10.89.0.1\nsearch example.org\n'
    writeFileSync(resolver(), changed)
    writeNameFiles(own, names)
    expect(readFileSync(resolver(), 'utf8')).toBe(changed)
    writeNameFiles(own, { ...names, server: '10.89.7.1' })
    expect(readFileSync(resolver(), 'utf8')).not.toContain('10.89.0.1')
  })

  it('are replaced without reading them if they are too large', () => {
    writeNameFiles(own, names)
    // A sparse file.
    truncateSync(resolver(), 3 * 1024 ** 3)
    writeNameFiles(own, names)
    expect(readFileSync(resolver(), 'utf8')).toBe('search dns.podman\nnameserver 10.89.0.1\noptions ndots:0\n')
  })
})
