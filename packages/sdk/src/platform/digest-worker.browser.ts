import { type HashMessage, type HashRequest, hashBlob } from './hash-blob.ts'

/** A module worker that hashes one Blob. */
const say = (message: HashMessage) => postMessage(message)

addEventListener('message', (event: MessageEvent<HashRequest>) => {
  hashBlob(event.data, (hashed) => say({ hashed })).then(say, (error: Error) => say({ failed: error.message }))
})
