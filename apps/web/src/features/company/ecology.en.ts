import type { EcologyWords } from './ecology-facts.ts'

export const texts: EcologyWords = {
  age: {
    use: 'Files encrypted before upload can be opened without us.',
    how: 'Download the stored file as it is and decrypt it with the passphrase or key it was encrypted with.',
    tested: 'Our tests open encrypted downloads with an independent implementation of age.',
  },
  unixfs: {
    use: 'The name of a file can be computed by programs we did not write.',
    how: 'With the default chunker of 262,144 bytes and raw leaves, the CID that ipfs prints is the CID in your file list.',
    tested: 'Vectors in our tests compare files, folders and sharded directories with the reference implementation.',
  },
  tar: {
    use: 'Folders come down as one archive that every system opens.',
    how: 'Long names, large files and time stamps are kept; the stream can be piped, nothing is gathered first.',
    tested: 'Our tests unpack archives of nested folders and compare every byte.',
  },
  gateway: {
    use: 'Nodes answer clients of IPFS for raw blocks, CARs, ranges and tar.',
    how: 'Address, token and CID come from a download request; format, dag-scope and entity-bytes work as specified.',
    tested: 'Conformance cases of the specification run against a node in our tests.',
  },
  tus: {
    use: 'Any tus client can upload to a node and go on after a break.',
    how: 'Ask the API where to upload; give the node’s address and token to the client.',
    tested: 'Creation, offset, patch and termination are tested, also across a restart of the node.',
  },
  openapi: {
    use: 'Generate a client for a language we have none for.',
    how: 'The description is printed from the same contract that the server runs; the reader page shows it with examples.',
    tested: 'The build fails when the description differs from the contract.',
  },
  curl: {
    use: 'Fetch or resume a download with nothing installed.',
    how: 'Download addresses are plain HTTP with ranges. What you fetch that way you check yourself, against the CID.',
    tested: 'The downloads bench fetches with curl; answers to ranges are tested byte by byte.',
  },
  nginx: {
    use: 'What our nodes are measured against.',
    how: 'The bench serves the same file from nginx and from a node on the same machine, and prints the ratio.',
    tested: 'npm run bench download; the last run stands in docs/PERFORMANCE.md.',
  },
  node: {
    use: 'The SDK runs in programs and in browsers with the same calls.',
    how: 'Node.js 20.19 or later. Paths, streams and blobs are sources and targets.',
    tested: 'Every example of the SDK runs in Node.js and in Chromium in our tests.',
  },
  postgresql: {
    use: 'Bring your own database.',
    how: 'Any PostgreSQL from version 15 on; without one an embedded one is started.',
    tested: 'The network’s tests run on the embedded PostgreSQL and again on Debian’s.',
  },
  debian: {
    use: 'A fresh machine with Node.js is enough.',
    how: 'One command installs, builds and starts everything; no container engine, no compiler.',
    tested: 'Continuous integration does exactly that on Debian 12.',
  },
}
