import type { EcologyWords } from './ecology-facts.ts'

export const texts: EcologyWords = {
  age: {
    use: 'You can decrypt files without our software if you encrypted them before uploading.',
    how: 'Download the stored file and decrypt it with your passphrase or key.',
    tested: 'Our tests decrypt downloads with an independent implementation of age.',
  },
  unixfs: {
    use: 'Other programs compute the same content IDs.',
    how: 'With the default chunker of 262,144 bytes and raw leaves, ipfs prints the CID that is in your file list.',
    tested: 'Our tests compare files, folders and sharded directories with the reference implementation.',
  },
  tar: {
    use: 'Folders are downloaded as one archive that every system can open.',
    how: 'Long names, large files and time stamps are supported, and the download can be piped.',
    tested: 'Our tests unpack archives of nested folders and compare every byte.',
  },
  gateway: {
    use: 'Nodes serve raw blocks, CARs, byte ranges and tar to IPFS clients.',
    how: 'Address, token and CID come from a download request; format, dag-scope and entity-bytes work as specified.',
    tested: 'Conformance cases of the specification run against a node in our tests.',
  },
  tus: {
    use: 'Any tus client can upload to a node and resume after an interruption.',
    how: 'Request a node from the API, then pass its address and token to the client.',
    tested: 'Creation, offset, patch and termination are tested, also across a restart of the node.',
  },
  openapi: {
    use: 'Generate a client for a language without an SDK.',
    how: 'The document is generated from the contract that the server runs on; the API reference shows it with examples.',
    tested: 'The build fails if the document differs from the contract.',
  },
  curl: {
    use: 'Download files, and resume downloads, without installing anything.',
    how: 'Download addresses are plain HTTP with byte ranges. Verify such downloads against the CID yourself.',
    tested: 'The download benchmark uses curl; responses to ranges are tested byte by byte.',
  },
  nginx: {
    use: 'The baseline for the speed of our nodes.',
    how: 'The benchmark serves the same file from nginx and from a node on the same machine, and prints the ratio.',
    tested: 'npm run bench download; docs/PERFORMANCE.md shows the last result.',
  },
  node: {
    use: 'The SDK has the same API in programs and in browsers.',
    how: 'Node.js 20.19 or later. Reads and writes paths, streams and blobs.',
    tested: 'Every example of the SDK runs in Node.js and in Chromium in our tests.',
  },
  postgresql: {
    use: 'Use your own database.',
    how: 'PostgreSQL 15 or later; without one, an embedded PostgreSQL is started.',
    tested: 'The network tests run on the embedded PostgreSQL and on that of Debian.',
  },
  debian: {
    use: 'A new machine with Node.js is enough.',
    how: 'One command installs, builds and starts everything; no container engine or compiler is needed.',
    tested: 'Continuous integration does this on Debian 12.',
  },
}
