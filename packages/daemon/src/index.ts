export {
  askForCopies,
  COPIES_BYTES,
  COPIES_MAX,
  COPY_FRAME,
  COPY_SMALL,
  postForCopies,
  VIA_COPIES,
} from './ask-copies.ts'
export { refuseBrokenRequest } from './broken-requests.ts'
export { clientFetch, clientGet, NotPassedOn, type Via, viaAddress } from './client-fetch.ts'
export { type Clock, createClock } from './clock.ts'
export { addressAndPort, byteCount, ConfigError, port, readConfig } from './config.ts'
export { every, type Repeating } from './every.ts'
export { FetchFailed, type Guard, type GuardedAnswer, guardedBytes, guardedFetch, trustZone } from './guarded-fetch.ts'
export { createKeyedMutex, type KeyedMutex } from './keyed-mutex.ts'
export { createLogger, type Logger } from './logger.ts'
export {
  clientNetworkOf,
  isThisMachine,
  nodeAddressOf,
  nodeNetworkOf,
  visitorNetworkOf,
  wideNetworkOf,
} from './network.ts'
export { NODE_LABEL, nodeLabelOf, nodeNameOf, nodeOriginOf, readNodeName } from './node-names.ts'
export { isOutsideTarget, type TargetRules } from './outside-target.ts'
export { partsDigest } from './parts-digest.ts'
export { isPublicAddress } from './public-address.ts'
export { type Call, RETRY_AFTER, refusal, requestLang, type Serving, serve } from './serve.ts'
export { type Scope, scopeText, sessionProof, signatureOf, signingKey } from './sigv4.ts'
export { StartError } from './start-error.ts'
export { isReceivedSigned, isRelayedSigned, isSentSigned } from './transfer-signatures.ts'
export { within } from './within.ts'
