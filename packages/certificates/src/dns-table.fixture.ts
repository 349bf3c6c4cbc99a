import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Answer, decode, encode } from 'dns-packet'
import { listenBoth } from './dns-responder.ts'

/** A name server for tests with the records of many zones. With `next`, what it does not know is asked there. */
export async function startDnsTable(next?: { zone: string; port: number }) {
  const records: (Answer & { name: string })[] = []
  /** Names whose servers do not work. */
  const broken = new Set<string>()
  const { udp: socket, tcp } = await listenBoth({ host: '127.0.0.1', port: 0 })
  const forward = async (message: Buffer): Promise<Buffer> => {
    const upstream = createSocket('udp4')
    try {
      upstream.send(message, next?.port ?? 0, '127.0.0.1')
      const [answer] = (await once(upstream, 'message', { signal: AbortSignal.timeout(2000) })) as [Buffer]
      return answer
    } finally {
      upstream.close()
    }
  }
  const answer = (message: Buffer): Promise<Buffer> | Buffer | undefined => {
    const { id, questions } = decode(message)
    const question = questions?.[0]
    if (!question) return undefined
    const name = question.name.toLowerCase()
    if (next && (name === next.zone || name.endsWith(`.${next.zone}`))) return forward(message)
    const alias = records.find((record) => record.name === name && record.type === 'CNAME')
    const target = alias && 'data' in alias ? String(alias.data) : name
    const answers = [
      ...(alias && question.type !== 'CNAME' ? [alias] : []),
      ...records.filter((record) => record.type === question.type && (record.name === name || record.name === target)),
    ]
    const isKnown = records.some((record) => record.name === name || record.name.endsWith(`.${name}`))
    const rcode = broken.has(name) ? 2 : isKnown ? 0 : 3
    const found = { questions: questions ?? [], answers: rcode ? [] : answers }
    return encode({ type: 'response', id: id ?? 0, flags: 0x0400 | rcode, ...found })
  }
  socket.on('message', async (message, from) => {
    const found = await answer(message)
    if (found) socket.send(found, from.port, from.address)
  })
  // One query for each connection, in one packet: all that Pebble needs.
  tcp.on('connection', (connection) => {
    connection.on('error', () => {})
    connection.once('data', async (message) => {
      const found = await answer(message.subarray(2))
      if (!found) return void connection.destroy()
      const length = Buffer.alloc(2)
      length.writeUInt16BE(found.length)
      connection.end(Buffer.concat([length, found]))
    })
  })
  return {
    server: `127.0.0.1:${socket.address().port}`,
    broken,
    set(...given: (Answer & { name: string })[]) {
      records.length = 0
      records.push(...given)
    },
    async close() {
      socket.close()
      tcp.close()
      await Promise.all([once(socket, 'close'), once(tcp, 'close')])
    },
  }
}
