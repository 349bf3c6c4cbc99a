import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Network } from '@tidenet/testnet'
import { expect } from 'vitest'
import { startNetwork } from './test-network.ts'

export interface Release {
  kind: 'cli' | 'node' | 'sdk'
  version: string
  url: string
  file: string
  size: number
  sha256: string
}

export interface Offer {
  network: Network
  /** An empty temporary folder. */
  folder: string
  /** Calls a public operation. */
  answerOf: <T>(path: string) => Promise<T>
  releaseOf: (kind: Release['kind']) => Release
  stop: () => Promise<void>
}

/** A network whose portal offers the programs of this checkout, and a folder to download them to. */
export async function offerPrograms(): Promise<Offer> {
  await promisify(execFile)(process.execPath, [
    fileURLToPath(new URL('../../tools/pack-downloads.mjs', import.meta.url)),
  ])
  const network = await startNetwork({ nodes: 2 })
  const folder = await mkdtemp(join(tmpdir(), 'offered-'))
  const stop = async () => {
    await network.stop()
    await rm(folder, { recursive: true })
  }
  const answerOf = async <T>(path: string): Promise<T> => {
    const answer = (await (await fetch(network.url + path)).json()) as { code: number; data: T }
    expect(answer.code).toBe(0)
    return answer.data
  }
  try {
    const { list } = await answerOf<{ list: Release[] }>('/api/v1/portal/releases')
    const releaseOf = (kind: Release['kind']): Release => {
      const found = list.find((release) => release.kind === kind)
      if (!found) throw new Error(`no ${kind} can be downloaded`)
      return found
    }
    return { network, folder, answerOf, releaseOf, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
