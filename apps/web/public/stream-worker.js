// Answers /preview-stream/<id> for players of the portal: their page reads and verifies the bytes (features/preview/stream.ts).
const PREFIX = '/preview-stream/'
// The response can only be played, never become a page.
const HEADERS = {
  'Accept-Ranges': 'bytes',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
}

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('message', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (origin === location.origin && pathname.startsWith(PREFIX)) event.respondWith(answer(event))
})

async function answer({ request, clientId }) {
  const page = clientId && (await clients.get(clientId))
  if (!page || !/^(video|audio)$/.test(request.destination)) return new Response(null, { status: 404 })
  const asked = request.headers.get('range')
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(asked ?? 'bytes=0-') ?? []
  const { port1: port, port2 } = new MessageChannel()
  const next = () => new Promise((resolve) => (port.onmessage = ({ data }) => resolve(data)))
  const facts = next()
  const stream = new URL(request.url).pathname.slice(PREFIX.length)
  page.postMessage({ stream, start: Number(first), last: last === '' ? null : Number(last) }, [port2])
  const found = await facts
  if (!found) return new Response(null, { status: 404 })
  const { size, type, start, end } = found
  if (type === undefined) return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${size}` } })
  let sent = 0
  const body = new ReadableStream(
    {
      async pull(controller) {
        const piece = next()
        port.postMessage(true)
        const bytes = await piece
        if (!bytes) return controller.error(new Error('the page could not read it'))
        controller.enqueue(bytes)
        sent += bytes.length
        if (sent >= end - start) controller.close()
      },
      cancel() {
        port.postMessage(false)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    status: asked ? 206 : 200,
    headers: {
      ...HEADERS,
      'Content-Type': type,
      'Content-Length': String(end - start),
      ...(asked && { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }),
    },
  })
}
