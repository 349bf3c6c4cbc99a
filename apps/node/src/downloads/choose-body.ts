import type { Cid } from '@tidenet/content'
import type { FastifyRequest } from 'fastify'
import type { OpenContent } from '../contents/open-content.ts'
import { Refusal } from '../refusal.ts'
import type { Ask } from './ask.ts'
import { archiveBody, type Body, fileBody, innerBody, rawBody } from './body.ts'

/** Finds the representation that was asked for. Throws a 4xx when the content has no such thing. */
export async function chooseBody(content: OpenContent, root: Cid, ask: Ask, _request: FastifyRequest): Promise<Body> {
  if (ask.path.length === 0) {
    if (ask.format === 'raw') return rawBody(content, ask.cid)
    if (ask.format === 'inner') return innerBody(content, root)
    if (content.held.kind === 'file' && ask.format === undefined) return fileBody(content, ask)
    if (content.held.kind === 'folder' && ask.format === 'car') return archiveBody(content)
  }
  throw new Refusal(406, 'There is no such representation.')
}
