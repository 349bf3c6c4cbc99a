import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backoff, createEventParser, openEventStream, type Refusal, type StreamEvent } from './event-stream.ts'

function parsed(...pieces: string[]): StreamEvent[] {
  const events: StreamEvent[] = []
  const parse = createEventParser((event) => events.push(event))
  for (const piece of pieces) parse(piece)
  return events
}

describe('an event stream', () => {
  it.each([
    ['event: message\nid: 7\ndata: {"a":1}\n\n', [{ id: '7', type: 'message', data: '{"a":1}' }]],
    ['data: one\ndata: two\n\n', [{ id: '', type: 'message', data: 'one\ntwo' }]],
    [
      'id: 1\r\ndata:a\r\n\r\ndata: b\r\n\r\n',
      [
        { id: '1', type: 'message', data: 'a' },
        { id: '1', type: 'message', data: 'b' },
      ],
    ],
    [': keep-alive\n\nevent: ping\n\n', []],
    ['data: unfinished\n', []],
    ['data\n\n', [{ id: '', type: 'message', data: '' }]],
  ])('%j has these events', (text, events) => {
    expect(parsed(text)).toEqual(events)
    // Bytes arrive in any pieces.
    expect(parsed(...text)).toEqual(events)
  })

  it('says how long to wait before reconnecting', () => {
    const waits: number[] = []
    createEventParser(
      () => {},
      (ms) => waits.push(ms),
    )('retry: 250\nretry: soon\n')
    expect(waits).toEqual([250])
  })
})

describe('the time until the next attempt', () => {
  it('doubles up to 30 s, less up to half of it', () => {
    expect([0, 1, 2, 4, 9, 99].map((failures) => backoff(failures, 1000, 0))).toEqual([
      1000, 2000, 4000, 16_000, 30_000, 30_000,
    ])
    expect(backoff(3, 1000, 1)).toBe(4000)
  })
})

describe('a connection', () => {
  let requests: (string | undefined)[]
  let answers: (() => Promise<Response>)[]
  const stream = (...pieces: string[]) =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
          controller.close()
        },
      }),
      { headers: { 'content-type': 'text/event-stream; charset=utf-8' } },
    )
  /** Opens a stream until the prepared answers are used up. */
  async function run() {
    const events: string[] = []
    const refused: Refusal[] = []
    const states: boolean[] = []
    const close = openEventStream({
      url: '/events',
      headers: () => ({ token: 'valid' }),
      lastId: '',
      onEvent: ({ data }) => events.push(data),
      onState: (open) => states.push(open),
      onRefused: (refusal) => refused.push(refusal),
    })
    await vi.advanceTimersByTimeAsync(200_000)
    close()
    return { events, refused, states }
  }

  beforeEach(() => {
    vi.useFakeTimers()
    requests = []
    answers = []
    vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
      requests.push(headers['last-event-id'])
      const answer = answers.shift()
      return answer ? answer() : new Response('', { status: 404 })
    })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('resumes after its last event when it ends, when the network fails and when the server is busy', async () => {
    answers = [
      async () => stream('id: 1\ndata: a\n\n', 'id: 2\nda', 'ta: b\n\n'),
      async () => Promise.reject(new TypeError('Failed to fetch')),
      async () => new Response('', { status: 503 }),
      async () => new Response('', { status: 429, headers: { 'retry-after': '30' } }),
      async () => stream('id: 3\ndata: c\n\n'),
    ]
    const { events, refused } = await run()
    expect(events).toEqual(['a', 'b', 'c'])
    expect(requests).toEqual([undefined, '2', '2', '2', '2', '3'])
    expect(refused).toEqual([{ status: 404 }])
  })

  it('reconnects when nothing arrives for a minute, not even a comment', async () => {
    answers = [
      async () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }),
      async () => stream('data: a\n\n'),
    ]
    vi.stubGlobal('fetch', async (_: string, { signal }: { signal: AbortSignal }) => {
      const answer = answers.shift()
      if (!answer) return new Response('', { status: 404 })
      const response = await answer()
      const body = response.body as ReadableStream<Uint8Array>
      return new Response(
        new ReadableStream({
          start(controller) {
            signal.addEventListener('abort', () => controller.error(new Error('aborted')))
            void body.pipeTo(
              new WritableStream({
                write: (chunk) => controller.enqueue(chunk),
                close: () => controller.close(),
              }),
            )
          },
        }),
        { headers: response.headers },
      )
    })
    const { events, states } = await run()
    expect(events).toEqual(['a'])
    expect(states.filter(Boolean)).toHaveLength(2)
  })

  it.each([401, 403, 404])('ends for good when the server answers %i', async (status) => {
    answers = [async () => new Response('', { status })]
    expect((await run()).refused).toEqual([{ status }])
    expect(requests).toHaveLength(1)
  })

  it('ends for good when the answer is a refusal instead of a stream', async () => {
    answers = [async () => Response.json({ code: -1, err: 1001, msg: 'no' })]
    expect((await run()).refused).toEqual([{ status: 200, err: 1001 }])
    expect(requests).toHaveLength(1)
  })
})
