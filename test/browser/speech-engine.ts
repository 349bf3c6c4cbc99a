import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the engine of the tests answers until it is told something else. */
export interface EngineAnswer {
  status?: number
  segments?: readonly { start: number; end: number; text: string }[]
  /** Answers only after the next change. */
  isHeld?: boolean
}

/** What nobody said: the tests play silence. */
export const SPOKEN = [
  { start: 0, end: 2.5, text: ' The tide gauge at the pier was replaced in March.' },
  { start: 2.5, end: 5, text: ' The new one writes down a height every six minutes.' },
  { start: 5, end: 8, text: ' Readings --> stored in <five> places & checked.' },
] as const

/**
 * Stands in for a speech engine: it speaks the transcription API of OpenAI, and transcribes nothing. `POST /answer` with an `EngineAnswer`
 * changes what it answers.
 */
export async function startSpeechEngine(): Promise<{ url: string; stop: () => Promise<void> }> {
  let answer: EngineAnswer = {}
  let onChange: (() => void)[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    if (request.url === '/answer') {
      answer = JSON.parse(body.toString()) as EngineAnswer
      const waiting = onChange
      onChange = []
      for (const resume of waiting) resume()
      return void response.writeHead(204).end()
    }
    while (answer.isHeld && !response.closed) await new Promise<void>((resume) => onChange.push(resume))
    const { status = 200, segments = SPOKEN } = answer
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ text: segments.map(({ text }) => text).join(''), segments }))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Changes what the engine of the test network answers. */
export async function setEngineAnswer(answer: EngineAnswer): Promise<void> {
  const { TIDENET_BROWSER_SPEECH } = process.env
  if (!TIDENET_BROWSER_SPEECH) throw new Error('the network has no speech engine of test/browser/global-setup.ts')
  await fetch(`${TIDENET_BROWSER_SPEECH}/answer`, { method: 'POST', body: JSON.stringify(answer) })
}
