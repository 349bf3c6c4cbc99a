// A server that takes objects as S3 does, without storing or checking anything: what the client and HTTP in Node.js alone need.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'

const server = http.createServer((request, response) => {
  const md5 = createHash('md5')
  request.on('data', (chunk) => md5.update(chunk))
  request.on('end', () => response.writeHead(200, { etag: `"${md5.digest('hex')}"`, 'content-length': 0 }).end())
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.({ port: server.address().port })
