/** Codes of S3 with their HTTP status and message. Clients decide by the code; people read the message, which S3 gives in English only. */
const ERRORS = {
  AccessDenied: [403, 'Access Denied'],
  AuthorizationHeaderMalformed: [400, 'The authorization header is malformed.'],
  AuthorizationQueryParametersError: [400, 'The authorization query parameters are malformed.'],
  BadDigest: [400, 'The Content-MD5 or checksum you specified did not match what we received.'],
  BucketAlreadyExists: [409, 'The requested bucket name is not available. Select another name and try again.'],
  BucketAlreadyOwnedByYou: [409, 'The bucket exists, and you own it.'],
  BucketNotEmpty: [409, 'The bucket is not empty.'],
  ConditionalRequestConflict: [409, 'The object changed while a conditional request was in progress. Try again.'],
  CORSForbidden: [403, 'This CORS request is not allowed by the rules of the bucket.'],
  EntityTooLarge: [400, 'Your upload exceeds the maximum size.'],
  EntityTooSmall: [400, 'Your upload is smaller than the minimum size.'],
  ExpiredToken: [400, 'The provided token has expired.'],
  IllegalVersioningConfigurationException: [400, 'The versioning configuration in the request is not valid.'],
  IncompleteBody: [400, 'The request body has fewer or more bytes than the headers of the request announced.'],
  InternalError: [500, 'An internal error occurred. Try again.'],
  InvalidAccessKeyId: [403, 'The access key ID you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid argument'],
  InvalidBucketName: [
    400,
    'The specified bucket name is not valid. A new bucket has 3 to 63 lower-case letters, digits, dots and hyphens.',
  ],
  InvalidBucketState: [409, 'The request is not valid with the current state of the bucket.'],
  InvalidChunkSizeError: [403, 'Only the last chunk is allowed to have a size less than 8192 bytes'],
  InvalidDigest: [400, 'The Content-MD5 you specified is not valid.'],
  InvalidLocationConstraint: [400, 'The specified location constraint is not valid.'],
  InvalidObjectState: [403, 'The operation is not valid for the current state of the object.'],
  InvalidPart: [
    400,
    'One or more of the specified parts could not be found. The part might not have been uploaded, or its entity tag might not have matched.',
  ],
  InvalidPartNumber: [416, 'The requested partnumber is not satisfiable'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order. Parts must be ordered by part number.'],
  InvalidPolicyDocument: [400, 'The content of the form does not meet the conditions of the policy document.'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRequest: [400, 'Invalid Request'],
  InvalidTag: [400, 'The tag provided was not a valid tag.'],
  InvalidToken: [400, 'The provided token is malformed or otherwise not valid.'],
  InvalidURI: [400, 'The specified URI could not be parsed.'],
  KeyTooLongError: [400, 'Your key is too long'],
  MalformedPOSTRequest: [400, 'The body of your POST request is not well-formed multipart/form-data.'],
  MalformedTrailerError: [
    400,
    'The trailers of the request are not well-formed, or are not those that x-amz-trailer announced.',
  ],
  MalformedXML: [400, 'The XML you provided was not well-formed or did not validate against our published schema'],
  MaxMessageLengthExceeded: [400, 'Your request was too big.'],
  MaxPostPreDataLengthExceededError: [400, 'Your POST request fields preceding the upload file were too large.'],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size.'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header.'],
  MissingRequestBodyError: [400, 'The request body is empty.'],
  MissingSecurityHeader: [400, 'Your request is missing a required header.'],
  NoSuchBucket: [
    404,
    'The specified bucket does not exist. Create it first: a bucket is a folder at the top level of the account, or a folder of the API key.',
  ],
  NoSuchBucketPolicy: [404, 'The bucket policy does not exist'],
  NoSuchCORSConfiguration: [404, 'The CORS configuration does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchLifecycleConfiguration: [404, 'The lifecycle configuration does not exist'],
  NoSuchTagSet: [404, 'There is no tag set associated with the bucket.'],
  NoSuchUpload: [
    404,
    'The specified multipart upload does not exist. The upload ID might not be valid, or the upload might have been aborted or completed.',
  ],
  NoSuchVersion: [404, 'The specified version does not exist.'],
  NotImplemented: [501, 'A header or parameter you provided implies functionality that is not implemented'],
  OperationAborted: [409, 'A conflicting operation is in progress on this resource. Try again.'],
  PreconditionFailed: [412, 'At least one of the pre-conditions you specified did not hold'],
  QuotaExceeded: [403, 'The account has no storage left.'],
  RequestTimeTooSkewed: [403, 'The difference between the request time and the current time is too large.'],
  RequestTimeout: [400, 'Your connection to the server was idle for too long. The timeout was reached.'],
  ServiceUnavailable: [503, 'The service is unavailable. Reduce your request rate and try again.'],
  SignatureDoesNotMatch: [
    403,
    'The request signature we calculated does not match the signature you provided. Check your key and signing method; a key that is unknown or was revoked gets this answer, too.',
  ],
  SlowDown: [503, 'Reduce your request rate.'],
  TooManyBuckets: [400, 'You have attempted to create more buckets than allowed.'],
  UnsupportedMediaType: [415, 'The media type of the request body is not supported.'],
  XAmzContentSHA256Mismatch: [400, "The provided 'x-amz-content-sha256' header does not match what was computed."],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type S3ErrorCode = keyof typeof ERRORS

/** What a client asked for and does not get. `details` become further elements of the error document. */
export class S3Error extends Error {
  readonly code: S3ErrorCode
  /** HTTP status of the answer. */
  readonly status: number
  readonly details: Readonly<Record<string, string>>

  constructor(code: S3ErrorCode, message: string = ERRORS[code][1], details: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'S3Error'
    this.code = code
    this.status = ERRORS[code][0]
    this.details = details
  }
}
