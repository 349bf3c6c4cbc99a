import { expect, it } from 'vitest'
import { slowText } from './slow.ts'

it.each([
  [{ kind: 'slow', ms: 12_460, rate: 4000, share: 0.041 }, ['12.5', '4.1%']],
  [{ kind: 'slow', ms: 3000, rate: 4000, share: 0.31 }, ['3.0', '31%']],
  [{ kind: 'unanswered', ms: 2500, rate: 0, share: 0 }, ['2.5']],
  [{ kind: 'single', ms: 30_000, rate: 102_400, share: 0 }, ['30.0', '100 KiB/s']],
] as const)('names the node and how it slowed the download: %o', (node, parts) => {
  const text = slowText({ node_id: 'e_1', ...node })
  for (const part of ['e_1', ...parts]) expect(text).toContain(part)
})
