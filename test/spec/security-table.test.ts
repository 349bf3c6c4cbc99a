import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(join(root, 'docs/SECURITY.md'), 'utf8')
const faults = readFileSync(join(root, 'tools/faults/list.mjs'), 'utf8')

/** The rows of the table of attacks: attack, defence with its file, test with its title, fault. */
const rows = text
  .split('\n')
  .filter((line) => line.includes('.test.ts`: “'))
  .map((line) => {
    const [attack = '', defence = '', test = '', fault = ''] = line.split('|').slice(1, -1)
    return { attack: attack.trim(), defence, test, fault: fault.trim().replaceAll('`', '') }
  })

it('the table of attacks has rows', () => {
  expect(rows.length).toBeGreaterThan(10)
})

describe.each(rows)('the defence against "$attack"', ({ defence, test, fault }) => {
  it('is in a file that exists', () => {
    const files = [...defence.matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? '')
    expect(files).not.toEqual([])
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true)
  })

  it('has a test with this title', () => {
    const [, file = '', title = ''] = /`([^`]+)`: “(.+)”/.exec(test) ?? []
    const source = readFileSync(join(root, file), 'utf8')
    expect(source.includes(`'${title}'`) || source.includes(`"${title}"`), `${file}: ${title}`).toBe(true)
  })

  it('is turned off by a fault', () => {
    expect(faults).toContain(`name: '${fault}'`)
  })
})
