import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeAwsChunked, readChunkedBody } from './aws-chunked.ts'
import { type Checksums, createChecksums, readExpectedChecksums } from './checksums.ts'
import { errorXml } from './error-document.ts'
import { S3Error } from './errors.ts'
import { type Address, readAddress } from './names.ts'
import { type Headers, readHeaders, readTarget, type Target } from './request.ts'
import { type Payload, readSignature, signingKeyOf, verifySignature } from './signature.ts'

/** A request that passed all that a gateway checks before it looks at its storage. */
export interface AcceptedRequest {
  method: string
  address: Address
  target: Target
  headers: Headers
  payload: Payload
  body: Buffer
  checksums: Checksums
}
export interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string
}

/** A gateway without storage: it checks and records requests, and gives the answers that it was told to. */
export async function startGateway(secretAccessKey: string) {
  const accepted: AcceptedRequest[] = []
  const answers: Answer[] = []
  const server = createServer(async (request, response) => {
    try {
      const headers = readHeaders(request.rawHeaders)
      const target = readTarget(request.url!)
      const signed = readSignature({ method: request.method!, target, headers }, Date.now())
      const signingKey = signingKeyOf(secretAccessKey, signed)
      if (!verifySignature(signingKey, signed.stringToSign, signed.signature))
        throw new S3Error('SignatureDoesNotMatch')
      const isStreaming = typeof signed.payload === 'string' && signed.payload !== 'unsigned'
      const chunked = isStreaming ? readChunkedBody(headers, signed) : undefined
      const decoded = chunked && decodeAwsChunked(request, chunked, signingKey)
      const trailerNames = chunked?.trailerNames ?? []
      const stream = await createChecksums(
        readExpectedChecksums({ headers, target, payload: signed.payload, trailerNames }),
      )
      const pieces: Buffer[] = []
      for await (const piece of decoded?.body ?? request) {
        stream.update(piece)
        pieces.push(piece)
      }
      accepted.push({
        method: request.method!,
        address: readAddress(target.path, request.headers.host!, ['localhost']),
        target,
        headers,
        payload: signed.payload,
        body: Buffer.concat(pieces),
        checksums: stream.finish(decoded?.trailers),
      })
      const { status = 200, headers: more = {}, body = '' } = answers.shift() ?? {}
      response.writeHead(status, more).end(body)
    } catch (error) {
      const refusal = error instanceof S3Error ? error : new S3Error('InternalError', String(error))
      response
        .writeHead(refusal.status, { 'content-type': 'application/xml' })
        .end(errorXml(refusal, { resource: request.url!, requestId: '1', hostId: '2' }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    /** The last request that was accepted. */
    last: () => accepted.at(-1)!,
    /** What the next request gets. */
    answer: (...more: Answer[]) => answers.push(...more),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
