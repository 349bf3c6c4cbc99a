import type { TemplateName } from '@tidenet/contract'
import { GB } from '../clusters/sizes.ts'

export interface Template {
  name: TemplateName
  /** Null: the cluster's default image. */
  image: string | null
  command: readonly string[]
  ports: readonly number[]
  env: readonly { name: string; value: string; secret: boolean }[]
  /** Recommended size: cores, bytes. */
  cpu: number
  memory: number
  storage: number
}

const MB = 1024 ** 2
const plain = { command: [], ports: [], env: [] } as const
const secret = (name: string) => ({ name, value: '', secret: true })

/** Programs that can be deployed by name. A secret without a value is generated at deployment. */
export const templates: readonly Template[] = [
  { ...plain, name: 'machine', image: null, cpu: 1, memory: GB, storage: 10 * GB },
  {
    ...plain,
    name: 'pages',
    image: null,
    // Works in both default images: Debian with Python and busybox.
    command: [
      '/bin/sh',
      '-c',
      'mkdir -p /data/pages; [ -e /data/pages/index.html ] || echo "<h1>It works</h1>" > /data/pages/index.html; if command -v httpd >/dev/null; then exec httpd -f -p 8080 -h /data/pages; else exec python3 -m http.server 8080 -d /data/pages; fi',
    ],
    ports: [8080],
    cpu: 0.2,
    memory: 128 * MB,
    storage: GB,
  },
  {
    ...plain,
    name: 'nginx',
    image: 'docker.io/library/nginx:1.29',
    ports: [80],
    cpu: 0.5,
    memory: 256 * MB,
    storage: GB,
  },
  {
    ...plain,
    name: 'postgres',
    image: 'docker.io/library/postgres:17',
    ports: [5432],
    env: [secret('POSTGRES_PASSWORD')],
    cpu: 1,
    memory: GB,
    storage: 10 * GB,
  },
  {
    ...plain,
    name: 'redis',
    image: 'docker.io/library/redis:8',
    ports: [6379],
    cpu: 0.5,
    memory: 256 * MB,
    storage: GB,
  },
  {
    ...plain,
    name: 'node',
    image: 'docker.io/library/node:22-slim',
    command: ['/bin/sh', '-c', 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done'],
    cpu: 1,
    memory: GB,
    storage: 10 * GB,
  },
  {
    ...plain,
    name: 'python',
    image: 'docker.io/library/python:3.13-slim',
    command: ['/bin/sh', '-c', 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done'],
    cpu: 1,
    memory: GB,
    storage: 10 * GB,
  },
  {
    ...plain,
    name: 'jupyter',
    image: 'quay.io/jupyter/base-notebook:latest',
    ports: [8888],
    env: [secret('JUPYTER_TOKEN')],
    cpu: 1,
    memory: 2 * GB,
    storage: 10 * GB,
  },
]
