import { describe, expect, it } from 'vitest'
import { fromBase64, toBase64 } from './bytes.ts'
import { createSampleNetwork, SAMPLES, sampleKey } from './network.fixture.ts'
import { checkNote, checkpointText, noteKeyId, parseCheckpoint, parseNote, signedNote } from './note.ts'

const network = createSampleNetwork()
network.issue(SAMPLES.upload)
const checkpoint = network.checkpoint()
const note = network.note(checkpoint)
const [text = '', line = ''] = note.split('\n\n')

describe('a signed note', () => {
  it('is the one of golang.org/x/mod/sumdb/note', async () => {
    const known = [
      'If you think cryptography is the answer to your problem,',
      "then you don't know what your problem is.",
      '',
      '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
      '',
    ].join('\n')
    const key = fromBase64('ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')!.slice(1)
    expect(await checkNote(parseNote(known)!, 'PeterNeumann', key)).toBe('signed')
    expect(await checkNote(parseNote(known.replace('think', 'thank'))!, 'PeterNeumann', key)).toBe('invalid')
  })

  it('gives back the checkpoint that was signed', async () => {
    const parsed = parseNote(note)!
    expect(parseCheckpoint(parsed.text)).toEqual(checkpoint)
    expect(await checkNote(parsed, network.origin, network.key.raw)).toBe('signed')
  })

  it('can carry signatures of witnesses beside it', async () => {
    const witness = sampleKey('witness')
    const signature = Buffer.from(witness.sign(`${text}\n`), 'base64url')
    const [, second] = signedNote(`${text}\n`, 'witness.example/w', witness.raw, signature).split('\n\n')
    expect(await checkNote(parseNote(note + second)!, network.origin, network.key.raw)).toBe('signed')
  })

  it('is not signed by another key or name, and invalid with one wrong signature among ours', async () => {
    const other = sampleKey('other')
    expect(await checkNote(parseNote(note)!, network.origin, other.raw)).toBe('unsigned')
    expect(await checkNote(parseNote(note)!, 'tidenet-log-00000000', network.key.raw)).toBe('unsigned')
    const wrong = signedNote(`${text}\n`, network.origin, network.key.raw, new Uint8Array(64))
    expect(await checkNote(parseNote(wrong)!, network.origin, network.key.raw)).toBe('invalid')
    expect(await checkNote(parseNote(note + wrong.split('\n\n')[1])!, network.origin, network.key.raw)).toBe('invalid')
    const renamed = note.replace(network.origin, 'tidenet-log-00000000')
    expect(await checkNote(parseNote(renamed)!, network.origin, network.key.raw)).toBe('invalid')
  })

  it.each([
    ['empty', ''],
    ['without signatures', `${text}\n`],
    ['without a newline at the end', note.slice(0, -1)],
    ['with carriage returns', note.replaceAll('\n', '\r\n')],
    ['with another dash', note.replace('—', '-')],
    ['with a signature that is not base64', `${text}\n\n— a b!\n`],
    ['with base64 that has two forms', `${text}\n\n${line.replace(/.=*\n?$/, 'B==')}\n`],
    ['with a signature that is too short', `${text}\n\n— a ${toBase64(new Uint8Array(4))}\n`],
    ['with thousands of signatures', `${text}\n\n${line.repeat(5000)}`],
  ])('%s is refused', (_, bad) => expect(parseNote(bad)).toBeUndefined())
})

describe('a checkpoint', () => {
  const lines = checkpointText(checkpoint).split('\n')
  it.each([
    ['of another log', ['example.com/log', lines[1], lines[2], '']],
    ['with a negative size', [lines[0], '-1', lines[2], '']],
    ['with leading zeros', [lines[0], '01', lines[2], '']],
    ['with a size that is too large', [lines[0], '9007199254740993', lines[2], '']],
    ['with a short root', [lines[0], '1', toBase64(new Uint8Array(31)), '']],
    ['with a fourth line', [...lines.slice(0, 3), 'more', '']],
    ['cut off', lines.slice(0, 3)],
  ])('%s is refused', (_, bad) => expect(parseCheckpoint(bad.join('\n'))).toBeUndefined())

  it('has a key id that depends on name and key', () => {
    const id = (name: string, seed: string) => toBase64(noteKeyId(name, sampleKey(seed).raw))
    expect(new Set([id('a', 'x'), id('b', 'x'), id('a', 'y')]).size).toBe(3)
  })
})
