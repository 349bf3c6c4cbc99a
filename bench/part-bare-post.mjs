// Baseline for uploads: a server that writes the body of a POST to a file in 1 MiB writes and syncs it.
import { open, unlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'

const BLOCK = 1 << 20
const folder = process.argv[2]
let number = 0

async function receive(request) {
  const path = join(folder, `bare-${number++}`)
  const file = await open(path, 'w')
  let waiting = []
  let waitingBytes = 0
  let position = 0
  let flying = 0
  let failure
  const launch = () => {
    const chunks = waiting
    const at = position
    position += waitingBytes
    waiting = []
    waitingBytes = 0
    flying += 1
    if (flying >= 2) request.pause()
    return file.writev(chunks, at).then(
      () => {
        flying -= 1
        if (request.isPaused()) request.resume()
      },
      (error) => {
        failure = error
        request.destroy()
      },
    )
  }
  const writes = new Set()
  request.on('data', (chunk) => {
    waiting.push(chunk)
    waitingBytes += chunk.length
    if (waitingBytes >= BLOCK) {
      const write = launch().finally(() => writes.delete(write))
      writes.add(write)
    }
  })
  await new Promise((resolve, reject) => {
    request.on('end', resolve)
    request.on('error', reject)
  })
  if (waitingBytes > 0) writes.add(launch())
  await Promise.all(writes)
  if (failure) throw failure
  await file.sync()
  await file.close()
  return { path, size: position }
}

const server = createServer((request, response) => {
  receive(request).then(
    async ({ path, size }) => {
      response.end(JSON.stringify({ size }), () => unlink(path))
    },
    (error) => {
      response.statusCode = 500
      response.end(String(error))
    },
  )
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
