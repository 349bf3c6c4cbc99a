import { S3Error } from './errors.ts'
import { checksumNodes, type StoredChecksum } from './results.ts'
import { writeXml, type XmlNode } from './xml.ts'

/** What GetObjectAttributes can be asked for. */
const ATTRIBUTES = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'] as const
export type ObjectAttribute = (typeof ATTRIBUTES)[number]

/** Reads the header x-amz-object-attributes. @throws S3Error InvalidArgument */
export function readAttributes(header: string | undefined): ReadonlySet<ObjectAttribute> {
  const names = (header ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const isKnown = (name: string): name is ObjectAttribute => ATTRIBUTES.some((known) => known === name)
  if (names.length === 0 || !names.every(isKnown))
    throw new S3Error('InvalidArgument', 'Invalid attribute name specified.', {
      ArgumentName: 'x-amz-object-attributes',
      ArgumentValue: header ?? '',
    })
  return new Set(names)
}

/** The number of parts from an ETag of the form `…-N`. The bounds of the parts are not kept. */
const partsNode = (etag: string): XmlNode[] => {
  const [, count] = /-(\d+)$/.exec(etag) ?? []
  return count === undefined ? [] : [['ObjectParts', [['PartsCount', count]]]]
}

/** @param object ETag without quotes, size in bytes */
export function attributesXml(
  asked: ReadonlySet<ObjectAttribute>,
  object: { etag: string; size: number; checksum?: StoredChecksum },
): string {
  const nodes: Record<ObjectAttribute, XmlNode[]> = {
    ETag: [['ETag', object.etag]],
    Checksum: object.checksum ? [['Checksum', checksumNodes(object.checksum)]] : [],
    ObjectParts: partsNode(object.etag),
    StorageClass: [['StorageClass', 'STANDARD']],
    ObjectSize: [['ObjectSize', object.size]],
  }
  return writeXml(['GetObjectAttributesResponse', ATTRIBUTES.flatMap((name) => (asked.has(name) ? nodes[name] : []))])
}
