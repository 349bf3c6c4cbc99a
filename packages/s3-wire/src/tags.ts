import { S3Error } from './errors.ts'
import { percentDecode, textOf } from './request.ts'
import type { XmlElement } from './xml.ts'
import { fieldsOf, readRoot } from './xml-fields.ts'

export interface Tag {
  key: string
  value: string
}

export const OBJECT_TAGS_MAX = 10
export const BUCKET_TAGS_MAX = 50
const TAG_TEXT = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u

/** @throws S3Error InvalidTag */
function requireTags(tags: Tag[], max: number): Tag[] {
  if (tags.length > max) throw new S3Error('InvalidTag', `Tags cannot be greater than ${max}`)
  if (new Set(tags.map(({ key }) => key)).size < tags.length)
    throw new S3Error('InvalidTag', 'Cannot provide multiple Tags with the same key')
  for (const { key, value } of tags) {
    const isAllowed = TAG_TEXT.test(key) && TAG_TEXT.test(value) && key.length <= 128 && value.length <= 256
    if (key === '' || !isAllowed || key.startsWith('aws:')) throw new S3Error('InvalidTag')
  }
  return tags
}

/**
 * The body of PutObjectTagging and PutBucketTagging.
 * @throws S3Error MalformedXML, InvalidTag
 */
export function readTagging(body: Uint8Array, max: number): Tag[] {
  const set = readRoot(body, 'Tagging', ['TagSet']).one('TagSet')
  if (!set) throw new S3Error('MalformedXML')
  return requireTags(fieldsOf(set, ['Tag']).all('Tag').map(readTag), max)
}

/** @throws S3Error MalformedXML */
export function readTag(element: XmlElement): Tag {
  const tag = fieldsOf(element, ['Key', 'Value'])
  return { key: tag.requiredText('Key'), value: tag.requiredText('Value') }
}

/**
 * The header x-amz-tagging: `key=value&key2=value2`, percent-encoded.
 * @throws S3Error InvalidArgument, InvalidTag
 */
export function readTaggingHeader(header: string): Tag[] {
  const decode = (text: string) => textOf(percentDecode(text.replaceAll('+', ' ')))
  const tags = header
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [, key = '', value = ''] = /^([^=]*)(?:=(.*))?$/.exec(pair) ?? []
      return { key, value }
    })
  try {
    return requireTags(
      tags.map(({ key, value }) => ({ key: decode(key), value: decode(value) })),
      OBJECT_TAGS_MAX,
    )
  } catch (error) {
    if (!(error instanceof S3Error) || error.code !== 'InvalidURI') throw error
    throw new S3Error('InvalidArgument', 'The header x-amz-tagging must be encoded as URL query parameters.')
  }
}
