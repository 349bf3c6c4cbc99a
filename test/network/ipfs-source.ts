import type { ServerResponse } from 'node:http'
import { type Block, type Cid, parseCid, writeCar } from '@tidenet/content'
import type { ImportSource } from './import-source.ts'

export interface Dag {
  root: Cid
  blocks: readonly Block[]
}

/** How a gateway answers wrongly; absent: it does not. */
export interface Lies {
  /** The CAR ends after so many blocks. */
  carBlocks?: number
  /** Changes the bytes of what it sends. */
  change?: (bytes: Uint8Array) => Uint8Array
  /** Blocks that nobody asked for, before the others. */
  junk?: readonly Block[]
  /** Single blocks: `none` are refused. */
  raw?: 'none'
  /** CARs are refused. */
  car?: 'none'
}

/** Lets a source answer as a trustless gateway that has this content, at the path of a gateway. */
export function serveDag(source: ImportSource, gateway: string, { root, blocks }: Dag, lies: Lies = {}): void {
  const change = lies.change ?? ((bytes) => bytes)
  for (const { cid, bytes } of blocks)
    source.at(`${gateway}/ipfs/${cid.toV1()}`, (response, request) => {
      const { searchParams } = new URL(request.url ?? '', 'http://gateway')
      if (searchParams.get('format') !== 'car') {
        if (lies.raw === 'none') return response.writeHead(404).end()
        return response.writeHead(200, { 'content-type': 'application/vnd.ipld.raw' }).end(change(bytes))
      }
      if (lies.car === 'none' || String(cid.toV1()) !== String(root.toV1())) return response.writeHead(501).end()
      const sent = [...(lies.junk ?? []), ...blocks.slice(0, lies.carBlocks)]
      void sendCar(
        response,
        root,
        sent.map((block) => ({ cid: block.cid, bytes: change(block.bytes) })),
      )
    })
}

async function sendCar(response: ServerResponse, root: Cid, blocks: readonly Block[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/vnd.ipld.car' })
  for await (const piece of writeCar([parseCid(String(root))], blocks)) response.write(piece)
  response.end()
}
