// How much of the processors the stages use, and how much they may. On Linux alone: elsewhere nothing is measured or refused.
import { readFileSync } from 'node:fs'

const TICKS = 100

/**
 * Processor seconds that each stage may use: half as much again as on an idle machine of two cores. Whoever adds tests that need more says so
 * here, or moves what is long by nature to `npm run test:long`.
 */
export const BUDGETS = {
  check: 220,
  unit: 450,
  sql: 50,
  routes: 700,
  clusters: 300,
  network: 900,
  browser: 1500,
}

/** Processor seconds of all programs that this one has started and that have ended; undefined where they cannot be known. */
export function childrenCpu() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[13]) + Number(fields[14])) / TICKS
  } catch {
    return undefined
  }
}
