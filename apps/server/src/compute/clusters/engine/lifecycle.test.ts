import { expect, it } from 'vitest'
import { start } from './lifecycle.ts'
import type { Parts } from './parts.ts'
import type { ReadyEngine } from './probe.ts'

it('kills a started container whose firewall rules cannot be restored', async () => {
  let isRunning = false
  const handle = {
    inspect: async () => ({ Config: { Labels: {} }, State: { Running: isRunning } }),
    start: async () => {
      isRunning = true
    },
    kill: async () => {
      isRunning = false
    },
  }
  const parts = {
    container: () => handle,
    ensureNetwork: async () => 'tidenet',
    isolateWorkspaces: async () => {
      throw new Error('nft is missing')
    },
  } as unknown as Parts
  const engine = { disks: { kind: 'metered' }, layers: false } as unknown as ReadyEngine
  await expect(start(parts, engine, 'w-1')).rejects.toThrow('nft is missing')
  expect(isRunning).toBe(false)
})
