// A program as customers run them, in a process of its own: a small answer, and one of 256 MiB. Prints its port; ends with its stdin.
import { createServer } from 'node:http'

export const LARGE_BYTES = 256 << 20
const part = Buffer.alloc(1 << 20, 1)
const small = JSON.stringify({
  list: Array.from({ length: 16 }, (_, id) => ({ id, name: `item ${id}`, price: id * 100 })),
})

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const server = createServer((request, response) => {
    if (request.url === '/small') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': small.length })
      return response.end(small)
    }
    response.writeHead(200, { 'content-length': LARGE_BYTES })
    let left = LARGE_BYTES / part.length
    const more = () => {
      while (left-- > 0) if (!response.write(part)) return response.once('drain', more)
      response.end()
    }
    more()
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
  process.stdin.resume()
  process.stdin.on('end', () => process.exit())
}
