// CPU budgets of the stages. CPU time is measured on Linux only; elsewhere there is no limit.
import { readFileSync } from 'node:fs'

const TICKS = 100

/**
 * CPU seconds of each stage: 1.5 times the usage on an idle machine with two cores. If new tests need more, increase the budget or move long
 * tests to `npm run test:long`.
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

/** CPU seconds of all child processes that have exited; undefined if unknown. */
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
