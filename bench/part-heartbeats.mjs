// Simulates many nodes, each with its own connection, that send one heartbeat per 30 s, or one that the server holds for 30 s.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

const { url, tokens: file, every, held } = JSON.parse(process.argv[2])
const tokens = JSON.parse(readFileSync(file, 'utf8'))
const { hostname, port, host } = new URL(url)
let answered = 0
const refused = new Map()

function live(token) {
  let socket
  let pending = ''
  let due
  const send = () => {
    const body = JSON.stringify({
      stats: {
        capacity: 1e12,
        used: 1e11,
        free: 9e11,
        load: Number(Math.random().toFixed(2)),
        uploads: 0,
        downloads: 1,
        receive_rate: 3e7,
        send_rate: 4e7,
        contents: 1000,
      },
      wait: held ? 30 : 0,
      room: 8,
      time: Date.now(),
      pulling: [],
    })
    due = Date.now() + every
    socket.write(
      `POST /api/node/v1/heartbeat HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
  }
  const open = () => {
    socket = connect(Number(port), hostname, send)
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      pending += chunk.latin1Slice()
      const end = pending.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: (\d+)/i.exec(pending)?.[1] ?? 0)
      if (pending.length < end + 4 + length) return
      const answer = pending.slice(end + 4)
      pending = ''
      if (answer.startsWith('{"code":0,')) answered += 1
      else refused.set(answer.slice(0, 100), (refused.get(answer.slice(0, 100)) ?? 0) + 1)
      if (held) send()
      else setTimeout(send, Math.max(0, due - Date.now()))
    })
    socket.on('error', () => {})
    socket.on('close', () => setTimeout(open, 1000))
  }
  open()
}

// Heartbeats are spread evenly.
for (const [index, token] of tokens.entries()) setTimeout(live, (index * every) / tokens.length, token)
setInterval(() => {
  console.log(JSON.stringify({ answered, refused: Object.fromEntries(refused) }))
  answered = 0
  refused.clear()
}, 10_000)
