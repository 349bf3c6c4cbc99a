export const kinds = ['format', 'protocol', 'tool', 'platform'] as const
export type Kind = (typeof kinds)[number]

export interface EcologyEntry {
  id: string
  kind: Kind
  name: string
  use: string
  /** A command or line of code, if there is one. */
  code?: string
  how: string
  tested: string
  site: string
}

type Words = Record<string, { use: string; how: string; tested: string }>

export const facts = [
  {
    id: 'age',
    kind: 'format',
    name: 'age',
    site: 'https://age-encryption.org/',
    code: 'age -d -o plan.pdf plan.pdf.age',
  },
  {
    id: 'unixfs',
    kind: 'format',
    name: 'UnixFS, CID, CAR',
    site: 'https://specs.ipfs.tech/',
    code: 'ipfs add --cid-version=1 --only-hash plan.pdf',
  },
  {
    id: 'tar',
    kind: 'format',
    name: 'tar',
    site: 'https://www.gnu.org/software/tar/',
    code: 'tidenet get <folder> -o - | tar -tv',
  },
  {
    id: 'gateway',
    kind: 'protocol',
    name: 'Trustless Gateway',
    site: 'https://specs.ipfs.tech/http-gateways/trustless-gateway/',
    code: 'curl "$NODE/ipfs/$CID?format=car&token=$TOKEN"',
  },
  { id: 'tus', kind: 'protocol', name: 'tus 1.0', site: 'https://tus.io/' },
  {
    id: 'openapi',
    kind: 'protocol',
    name: 'OpenAPI 3.1',
    site: 'https://www.openapis.org/',
    code: 'curl $PORTAL/api/openapi.json',
  },
  { id: 'curl', kind: 'tool', name: 'curl', site: 'https://curl.se/', code: 'curl -r 0-1023 "$URL"' },
  { id: 'nginx', kind: 'tool', name: 'nginx', site: 'https://nginx.org/' },
  {
    id: 'node',
    kind: 'platform',
    name: 'Node.js',
    site: 'https://nodejs.org/',
    code: "import { createStorage } from '@tidenet/storage'",
  },
  {
    id: 'postgresql',
    kind: 'platform',
    name: 'PostgreSQL',
    site: 'https://www.postgresql.org/',
    code: 'DATABASE_URL=postgresql://… npm start',
  },
  { id: 'debian', kind: 'platform', name: 'Debian', site: 'https://www.debian.org/', code: 'npm start' },
] as const satisfies readonly Omit<EcologyEntry, 'use' | 'how' | 'tested'>[]

export type EcologyWords = Record<(typeof facts)[number]['id'], Words[string]>
