import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type DecodedPacket, decode, encode, type Question, streamDecode, streamEncode } from 'dns-packet'

/** Queries for tests, as bytes and as packets. */

export interface Asked {
  edns?: number
  version?: number
}

export const queryOf = (name: string, type: string, { edns, version = 0 }: Asked = {}): Buffer =>
  encode({
    type: 'query',
    id: 4711,
    questions: [{ name, type: type as Question['type'] }],
    ...(edns && {
      additionals: [
        {
          type: 'OPT',
          name: '.',
          udpPayloadSize: edns,
          extendedRcode: 0,
          ednsVersion: version,
          flags: 0,
          flag_do: false,
          options: [],
        },
      ],
    }),
  })

/** Undefined: no answer within the time. */
export async function sendUdp(port: number, message: Buffer, withinMs = 5000): Promise<Buffer | undefined> {
  const socket = createSocket('udp4')
  try {
    socket.send(message, port, '127.0.0.1')
    const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(withinMs) })) as [Buffer]
    return answer
  } catch {
    return undefined
  } finally {
    socket.close()
  }
}

export async function askUdp(
  port: number,
  name: string,
  type: string,
  asked?: Asked,
): Promise<DecodedPacket & { rcode: string }> {
  const answer = await sendUdp(port, queryOf(name, type, asked))
  if (!answer) throw new Error('no answer')
  return decode(answer) as DecodedPacket & { rcode: string }
}

/** Several queries over one connection. */
export async function askTcp(port: number, queries: [name: string, type: string][]): Promise<DecodedPacket[]> {
  const socket = connect(port, '127.0.0.1')
  socket.write(Buffer.concat(queries.map(([name, type]) => streamEncode(decode(queryOf(name, type)) as never))))
  const answers: DecodedPacket[] = []
  let waiting = Buffer.alloc(0)
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    waiting = Buffer.concat([waiting, chunk])
    while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
      answers.push(streamDecode(waiting) as DecodedPacket)
      waiting = waiting.subarray(2 + waiting.readUInt16BE(0))
    }
    if (answers.length === queries.length) break
  }
  return answers
}
