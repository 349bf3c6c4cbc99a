import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { accessFile } from './server.ts'
import type { DeviceState } from './state.ts'

const file = z.object({ port: z.number(), token: z.string() })

/** Asks the node that runs in a data folder. @returns undefined if none answers */
async function ask(data: string, path: string): Promise<{ port: number; answer: unknown } | undefined> {
  try {
    const { port, token } = file.parse(JSON.parse(await readFile(accessFile(data), 'utf8')))
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{}',
      signal: AbortSignal.timeout(15_000),
    })
    return answer.ok ? { port, answer: await answer.json() } : undefined
  } catch {
    return undefined
  }
}

/** The state of the node that runs in a data folder; undefined if none does. */
export const askState = async (data: string): Promise<DeviceState | undefined> =>
  ((await ask(data, '/api/state'))?.answer as { state: DeviceState } | undefined)?.state

/** An address that opens the page once, within a minute; undefined if no node runs. */
export async function askAddress(data: string): Promise<string | undefined> {
  const asked = await ask(data, '/api/code')
  return asked && `http://127.0.0.1:${asked.port}/#${(asked.answer as { code: string }).code}`
}
