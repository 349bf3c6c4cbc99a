export { attributesXml, readAttributes } from './attributes.ts'
export { type Authorization, readAuthorization, readCredential } from './authorization.ts'
export { type ChunkedBody, decodeAwsChunked, HELD_BYTES_MAX, readChunkedBody } from './aws-chunked.ts'
export {
  type ChecksumStream,
  type Checksums,
  checksumHeader,
  createChecksums,
  type ExpectedChecksums,
  readAlgorithm,
  readExpectedChecksums,
  readObjectChecksum,
  requireChecksumValue,
} from './checksums.ts'
export {
  type Conditions,
  isNotModified,
  isRangeCurrent,
  readConditions,
  requireCopyConditions,
  requireWriteConditions,
  type Validators,
} from './conditions.ts'
export { type CorsRule, corsHeaders, corsXml, readCors } from './cors.ts'
export { CHECKSUM_ALGORITHMS, type ChecksumAlgorithm, createDigest, type Digest } from './digests.ts'
export { errorXml } from './error-document.ts'
export { S3Error, type S3ErrorCode } from './errors.ts'
export { type LifecycleRule, lifecycleXml, readLifecycle } from './lifecycle.ts'
export {
  continuationTokenOf,
  type ListParameters,
  PAGE_MAX,
  type PageParameters,
  readInteger,
  readListParameters,
  readPage,
  readPartNumber,
} from './list-parameters.ts'
export {
  type ListedObject,
  type ListedUpload,
  type ListedVersion,
  type ListPage,
  listObjectsV2Xml,
  listObjectsXml,
  listUploadsXml,
  listVersionsXml,
  type Owner,
} from './listing.ts'
export { METADATA_BYTES_MAX, metadataHeaders, readMetadata } from './metadata.ts'
export {
  type ChecksumType,
  type CrcAlgorithm,
  canBeOfType,
  combineCrcs,
  compositeChecksum,
  defaultChecksumType,
  isCrc,
  multipartEtag,
  readChecksumType,
} from './multipart-checksums.ts'
export { type Address, isBucketName, KEY_BYTES_MAX, readAddress, readCopySource, requireKey } from './names.ts'
export { type PostForm, readPostForm } from './post-form.ts'
export { type PostAuthorization, readPostPolicy } from './post-policy.ts'
export { type ByteRange, contentRange, readCopyRange, readRange } from './ranges.ts'
export {
  type Headers,
  headerOf,
  parameterOf,
  percentDecode,
  readHeaders,
  readTarget,
  type Target,
  textOf,
  uriEncode,
  withHoistedHeaders,
} from './request.ts'
export {
  aclXml,
  completeUploadXml,
  copyXml,
  deleteXml,
  initiateUploadXml,
  listBucketsXml,
  listPartsXml,
  locationXml,
  type StoredChecksum,
  taggingXml,
  versioningXml,
} from './results.ts'
export {
  type Payload,
  readSignature,
  type SignedRequest,
  scopeOf,
  sign,
  signingKeyOf,
  verifySignature,
} from './signature.ts'
export { BUCKET_TAGS_MAX, OBJECT_TAGS_MAX, readTagging, readTaggingHeader, type Tag } from './tags.ts'
export {
  readXml,
  S3_NAMESPACE,
  writeXml,
  XML_LIMITS,
  type XmlContent,
  type XmlElement,
  type XmlLimits,
  type XmlNode,
} from './xml.ts'
export {
  type CompletedPart,
  DELETE_KEYS_MAX,
  type DeletedObject,
  PARTS_MAX,
  readCompleteMultipartUpload,
  readCreateBucket,
  readDelete,
  readVersioning,
  unquote,
} from './xml-bodies.ts'
