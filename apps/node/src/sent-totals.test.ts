import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DownloadClaims, sentText } from '@tidenet/contract'
import { isSentSigned } from '@tidenet/daemon'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSentTotals, type SentTotals } from './sent-totals.ts'

const NODE = 'e_node'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const identity = { id: NODE, sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64url') }
const nodeKey = publicKey.export({ format: 'jwk' }).x as string

const download = (tid: string, more: Partial<DownloadClaims> = {}): DownloadClaims => ({
  typ: 'download',
  aud: NODE,
  sub: 'owner',
  cid: 'bafkcontent',
  tid,
  rk: 'key',
  exp: 0,
  ...more,
})

let path: string
let totals: SentTotals
beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'tidenet-sent-')), 'sent')
  totals = await openSentTotals(path, identity)
})
const taken = () => totals.take().map(({ claims, sent }) => [claims.tid, sent])

describe('what a node signs as sent', () => {
  it('is all that it sent in the download, with its key, once the client has signed', async () => {
    totals.add(download('one'), 300)
    expect(totals.take()).toEqual([])
    totals.add(download('one'), 200)
    totals.receive(download('one'), 400)
    const [statement] = totals.take()
    expect(statement).toMatchObject({ claims: { tid: 'one', cid: 'bafkcontent', sub: 'owner' }, sent: 500 })
    const signature = statement?.sent_signature ?? ''
    const said = { trace: 'one', nodeId: NODE, cid: 'bafkcontent', bytes: 500, signature }
    expect(await isSentSigned(nodeKey, said)).toBe(true)
    for (const other of [{ trace: 'two' }, { nodeId: 'e_other' }, { cid: 'bafkother' }, { bytes: 501 }])
      expect(await isSentSigned(nodeKey, { ...said, ...other })).toBe(false)
    expect(identity.sign(sentText('one', NODE, 'bafkcontent', 500))).toBe(signature)
  })

  it('is signed again when both have more', () => {
    totals.add(download('one'), 100)
    totals.receive(download('one'), 100)
    expect(taken()).toEqual([['one', 100]])
    expect(taken()).toEqual([])
    totals.add(download('one'), 100)
    expect(taken()).toEqual([])
    totals.receive(download('one'), 150)
    expect(taken()).toEqual([['one', 200]])
  })

  it('is what it sent, if the client signs more, and follows as it sends more', () => {
    totals.add(download('one'), 100)
    totals.receive(download('one'), 10 ** 12)
    expect(taken()).toEqual([['one', 100]])
    totals.add(download('one'), 50)
    expect(taken()).toEqual([['one', 150]])
  })

  it('goes on after a restart', async () => {
    totals.add(download('one'), 100)
    await totals.save()
    totals = await openSentTotals(path, identity)
    totals.add(download('one'), 100)
    totals.receive(download('one'), 200)
    expect(taken()).toEqual([['one', 200]])
  })

  it('begins again after a crash, because the totals are older than what was sent', async () => {
    await totals.save()
    totals = await openSentTotals(path, identity)
    totals.add(download('one'), 100)
    totals = await openSentTotals(path, identity)
    totals.receive(download('one'), 100)
    expect(taken()).toEqual([])
  })

  it('is nothing for clients that do not sign', () => {
    totals.add(download('one', { rk: undefined }), 100)
    totals.add(download('two'), 100)
    expect(taken()).toEqual([])
  })

  it('is forgotten for the oldest of many downloads', () => {
    totals.add(download('first'), 100)
    for (let each = 0; each < 20_000; each++) totals.add(download(String(each)), 1)
    totals.receive(download('first'), 100)
    totals.receive(download('19999'), 1)
    expect(taken()).toEqual([['19999', 1]])
  })
})
