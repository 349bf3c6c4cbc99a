import { type IncomingMessage, request } from 'node:http'

/** For tests: what a visitor got. */
export interface Got {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

interface Options {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** For tests: visits addresses that no DNS knows. @param port of the ingress */
export const visitorOf =
  (port: number) =>
  (host: string, path = '/', { method = 'GET', headers = {}, body }: Options = {}): Promise<Got> =>
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
