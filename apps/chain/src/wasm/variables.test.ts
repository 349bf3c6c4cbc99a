import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { countVariables } from './variables.ts'

/** A module with these globals only. */
const moduleOf = (...globals: number[][]) =>
  Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 6, 1 + globals.flat().length, globals.length, ...globals.flat()])

const I32 = 0x7f
const CONSTANT = [I32, 0, 0x41, 0x80, 0x01, 0x0b]
const VARIABLE = [I32, 1, 0x41, 5, 0x0b]
const FLOAT = [0x7c, 0, 0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0x0b]

const contracts = readdirSync(new URL('../../wasm', import.meta.url)).filter((name) => name.endsWith('.wasm'))

it.each(contracts)('finds only the end of the stack in %s', (name) => {
  expect(countVariables(readFileSync(new URL(`../../wasm/${name}`, import.meta.url)))).toBe(1)
})

it('counts variables, not constants', () => {
  expect(countVariables(moduleOf())).toBe(0)
  expect(countVariables(moduleOf(CONSTANT, VARIABLE, CONSTANT, VARIABLE))).toBe(2)
})

it('does not count what it does not understand', () => {
  expect(countVariables(moduleOf(CONSTANT, FLOAT))).toBe(Number.POSITIVE_INFINITY)
})

it('ends at the end of a section, whatever number of globals it states', () => {
  const endless = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 6, 6, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])
  expect(countVariables(endless)).toBe(Number.POSITIVE_INFINITY)
  const short = moduleOf(VARIABLE)
  short[9] = 3
  expect(countVariables(short)).toBe(Number.POSITIVE_INFINITY)
})
