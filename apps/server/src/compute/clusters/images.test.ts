import { expect, it } from 'vitest'
import { fullImage } from './images.ts'

const hosts = ['docker.io', 'ghcr.io']
const digest = `sha256:${'a'.repeat(64)}`

it.each([
  ['nginx', 'docker.io/library/nginx:latest'],
  ['nginx:1.27', 'docker.io/library/nginx:1.27'],
  ['owner/name', 'docker.io/owner/name:latest'],
  ['docker.io/nginx', 'docker.io/library/nginx:latest'],
  ['ghcr.io/owner/name:v1', 'ghcr.io/owner/name:v1'],
  [`ghcr.io/owner/name@${digest}`, `ghcr.io/owner/name@${digest}`],
])('resolves %s to %s', (text, full) => expect(fullImage(text, hosts)).toBe(full))

it.each([
  'localhost/tidenet-snapshot-1:w',
  'localhost:5000/a',
  '127.0.0.1/a',
  '10.0.0.1:5000/a/b',
  'quay.io/a/b',
  'ghcr.io.evil.example/a',
  'UPPER/case',
  'a//b',
  'a/../b',
  'nginx:',
  '',
])('rejects %s', (text) => expect(fullImage(text, hosts)).toBeUndefined())
