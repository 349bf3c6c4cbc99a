import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { namesOn } from './layers.ts'

let own: string
beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), 'layers-'))
})
afterEach(() => rmSync(own, { recursive: true, force: true }))

const names = { name: 'machine', server: '10.89.0.1', podman: true }
const resolver = () => join(own, 'etc', 'resolv.conf')

describe('what a program finds of names', () => {
  it('lies on its own disk', () => {
    expect(namesOn(own, names).map(({ target }) => target)).toEqual([
      '/etc/hosts',
      '/etc/hostname',
      '/etc/resolv.conf',
      '/run/.containerenv',
    ])
    expect(readFileSync(resolver(), 'utf8')).toContain('nameserver 10.89.0.1\n')
  })

  it('stays as the program has changed it, as long as its network answers where it did', () => {
    namesOn(own, names)
    const changed = 'nameserver 10.89.0.1\nsearch example.org\n'
    writeFileSync(resolver(), changed)
    namesOn(own, names)
    expect(readFileSync(resolver(), 'utf8')).toBe(changed)
    namesOn(own, { ...names, server: '10.89.7.1' })
    expect(readFileSync(resolver(), 'utf8')).not.toContain('10.89.0.1')
  })

  it('is written anew when it is larger than such a file can be, which no server reads for it', () => {
    namesOn(own, names)
    // With holes it takes nothing of the disk.
    truncateSync(resolver(), 3 * 1024 ** 3)
    namesOn(own, names)
    expect(readFileSync(resolver(), 'utf8')).toBe('search dns.podman\nnameserver 10.89.0.1\noptions ndots:0\n')
  })
})
