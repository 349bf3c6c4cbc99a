import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:http2'
import { connect as tlsConnect } from 'node:tls'
import { WebSocket } from 'ws'

/** For tests: what a visitor got. */
export interface Got {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

export interface VisitOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** For tests: visits addresses that no DNS knows. @param port of the ingress */
export const visitorOf =
  (port: number) =>
  (host: string, path = '/', { method = 'GET', headers = {}, body }: VisitOptions = {}): Promise<Got> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } }, (got) => {
        let text = ''
        got.on('data', (part) => {
          text += part
        })
        got.on('end', () => resolve({ status: got.statusCode ?? 0, headers: got.headers, text }))
        got.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })

/** For tests: something that a visitor holds open. `end` resolves to how it ended. */
export interface Held {
  end: Promise<'complete' | 'cut'>
  hasEnded(): boolean
  close(): void
}

const held = (end: Held['end'], close: () => void): Held => {
  let ended = false
  void end.then(() => {
    ended = true
  })
  return { end, hasEnded: () => ended, close }
}

/** For tests: opens a stream by HTTP/1.1, after its first bytes. */
export const holdStream = (port: number, host: string, headers: Record<string, string> = {}): Promise<Held> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/', headers: { host, ...headers }, agent: false }, (got) => {
      if (got.statusCode !== 200) return reject(new Error(`status ${got.statusCode}`))
      const end = new Promise<'complete' | 'cut'>((done) => {
        got.once('close', () => done(got.complete ? 'complete' : 'cut'))
      })
      got.on('error', () => {})
      got.once('data', () => resolve(held(end, () => sent.destroy())))
    })
    sent.on('error', reject)
    sent.end()
  })

/** For tests: opens a websocket. */
export const holdSocket = (port: number, host: string, headers: Record<string, string> = {}): Promise<Held> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host, ...headers } })
    const end = new Promise<'cut'>((done) => {
      socket.once('close', () => done('cut'))
    })
    socket.on('error', reject)
    socket.once('open', () => resolve(held(end, () => socket.terminate())))
  })

/** For tests: a connection with HTTP/2, on which hosts can be visited. @param name of TLS */
export async function connectHttp2(port: number, name: string, root: string) {
  const session = connect(`https://${name}`, {
    createConnection: () => tlsConnect({ host: '127.0.0.1', port, servername: name, ca: root, ALPNProtocols: ['h2'] }),
  })
  session.on('error', () => {})
  await once(session, 'connect')
  return {
    session,
    close: () => session.destroy(),
    visit: (host: string, path = '/', headers: Record<string, string> = {}, body?: string): Promise<Got> =>
      new Promise((resolve, reject) => {
        const sent = session.request(
          { ':authority': host, ':path': path, ...headers },
          { endStream: body === undefined },
        )
        let [text, got]: [string, Record<string, unknown>] = ['', {}]
        sent.on('response', (answer) => {
          got = answer
        })
        sent.on('data', (part) => {
          text += part
        })
        sent.on('error', reject)
        sent.on('close', () => {
          if (sent.rstCode !== 0) return reject(new Error(`stream error ${sent.rstCode}`))
          resolve({ status: Number(got[':status']), headers: got as Got['headers'], text })
        })
        if (body !== undefined) sent.end(body)
      }),
    /** Opens a stream, after its first bytes. */
    hold: (host: string, headers: Record<string, string> = {}): Promise<Held> =>
      new Promise((resolve, reject) => {
        const sent = session.request({ ':authority': host, ':path': '/', ...headers })
        const end = new Promise<'complete' | 'cut'>((done) => {
          sent.once('close', () => done(sent.rstCode === 0 ? 'complete' : 'cut'))
        })
        sent.on('error', reject)
        sent.once('response', ({ ':status': status }) => {
          if (status !== 200) reject(new Error(`status ${status}`))
        })
        sent.once('data', () => resolve(held(end, () => sent.close())))
      }),
  }
}
