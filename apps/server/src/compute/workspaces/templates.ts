import type { HealthCheck, TemplateName, TemplateTest } from '@tidenet/contract'
import { GB } from '../clusters/sizes.ts'

export interface Template {
  name: TemplateName
  /** Null: the cluster's default image. */
  image: string | null
  command: readonly string[]
  ports: readonly number[]
  env: readonly { name: string; value: string; secret: boolean }[]
  /** Folders that must be on the disk, beside `/data` and the volumes of the image. */
  paths: readonly string[]
  /** Null: its health is not checked. */
  health: HealthCheck | null
  tested: TemplateTest
  /** Recommended size: cores, bytes. */
  cpu: number
  memory: number
  storage: number
}

const MB = 1024 ** 2
const plain = { command: [], ports: [], env: [], paths: [], health: null, tested: 'none' } as const
const variable = (name: string, value: string) => ({ name, value, secret: false })
/** A secret that is generated at deployment. */
const secret = (name: string) => ({ name, value: '', secret: true })
const http = (port: number, path = '/'): HealthCheck => ({ kind: 'http', port, path, interval: 30, threshold: 3 })
const tcp = (port: number): HealthCheck => ({ ...http(port), kind: 'tcp' })
const shell = (...lines: readonly string[]) => ['/bin/sh', '-c', lines.join('; ')]
const WAIT = shell('trap "exit 0" TERM INT', 'while :; do sleep 3600 & wait $!; done')
/** Creates a folder on the disk with a first page, unless it has one. */
const withPage = (folder: string, page = 'index.html', content = '<h1>It works</h1>') =>
  `mkdir -p ${folder}; [ -e ${folder}/${page} ] || echo "${content}" > ${folder}/${page}`

const small = { cpu: 0.5, memory: 256 * MB, storage: GB }
const large = { cpu: 1, memory: GB, storage: 10 * GB }

/**
 * Programs that can be deployed by name. What they store is on their disk: in `/data`, in `paths`, or in volumes of their images.
 * `templates.cluster.test.ts` runs those whose `tested` says so.
 */
export const templates: readonly Template[] = [
  { ...plain, ...large, name: 'machine', image: null, tested: 'image' },
  {
    ...plain,
    name: 'pages',
    image: null,
    // Works in both default images: Debian with Python and busybox.
    command: shell(
      withPage('/data/pages'),
      'if command -v httpd >/dev/null; then exec httpd -f -p 8080 -h /data/pages; else exec python3 -m http.server 8080 -d /data/pages; fi',
    ),
    ports: [8080],
    health: http(8080),
    tested: 'image',
    cpu: 0.2,
    memory: 128 * MB,
    storage: GB,
  },
  {
    ...plain,
    ...small,
    name: 'nginx',
    image: 'docker.io/library/nginx:1.29',
    // The owner changes the configuration and the pages on the disk; both outlive another image.
    command: shell(
      withPage('/data/www'),
      '[ -e /data/site.conf ] || echo "server { listen 80; root /data/www; }" > /data/site.conf',
      'rm -f /etc/nginx/conf.d/default.conf',
      'echo "include /data/site.conf;" > /etc/nginx/conf.d/site.conf',
      'exec nginx -g "daemon off;"',
    ),
    ports: [80],
    health: tcp(80),
    tested: 'settings',
  },
  {
    ...plain,
    ...small,
    name: 'caddy',
    image: 'docker.io/library/caddy:2',
    command: shell(
      withPage('/data/www'),
      '[ -e /data/Caddyfile ] || printf ":80 {\\n\\troot * /data/www\\n\\tfile_server\\n}\\n" > /data/Caddyfile',
      'exec caddy run --config /data/Caddyfile --adapter caddyfile',
    ),
    ports: [80],
    // Caddy keeps its state there.
    env: [variable('XDG_DATA_HOME', '/data/caddy'), variable('XDG_CONFIG_HOME', '/data/caddy')],
    health: tcp(80),
    tested: 'settings',
  },
  {
    ...plain,
    ...small,
    name: 'php',
    image: 'docker.io/library/php:8.4-cli',
    command: shell(
      withPage('/data/www', 'index.php', "<?php echo 'It works';"),
      'exec php -S 0.0.0.0:8080 -t /data/www',
    ),
    ports: [8080],
    health: tcp(8080),
    tested: 'settings',
  },
  {
    ...plain,
    ...large,
    name: 'node',
    image: 'docker.io/library/node:22-slim',
    command: WAIT,
    ports: [3000],
    tested: 'settings',
  },
  {
    ...plain,
    ...large,
    name: 'python',
    image: 'docker.io/library/python:3.13-slim',
    command: WAIT,
    ports: [8000],
    tested: 'settings',
  },
  {
    ...plain,
    ...large,
    name: 'jupyter',
    image: 'quay.io/jupyter/base-notebook:latest',
    ports: [8888],
    env: [secret('JUPYTER_TOKEN')],
    paths: ['/home/jovyan/work'],
    health: tcp(8888),
    memory: 2 * GB,
  },
  {
    ...plain,
    ...large,
    name: 'code',
    image: 'docker.io/codercom/code-server:latest',
    ports: [8080],
    env: [secret('PASSWORD')],
    paths: ['/home/coder/project'],
    health: tcp(8080),
    memory: 2 * GB,
  },
  {
    ...plain,
    ...large,
    name: 'postgres',
    image: 'docker.io/library/postgres:17',
    ports: [5432],
    env: [secret('POSTGRES_PASSWORD')],
    health: tcp(5432),
  },
  {
    ...plain,
    ...large,
    name: 'mariadb',
    image: 'docker.io/library/mariadb:11.8',
    ports: [3306],
    env: [secret('MARIADB_ROOT_PASSWORD')],
    health: tcp(3306),
  },
  {
    ...plain,
    ...large,
    name: 'mongo',
    image: 'docker.io/library/mongo:8.0',
    ports: [27017],
    env: [variable('MONGO_INITDB_ROOT_USERNAME', 'root'), secret('MONGO_INITDB_ROOT_PASSWORD')],
    health: tcp(27017),
  },
  {
    ...plain,
    ...small,
    name: 'redis',
    image: 'docker.io/library/redis:8',
    // Of its own accord the image has no password. The file keeps it out of the list of processes.
    command: shell(
      'umask 077',
      'printf "requirepass %s\\nprotected-mode no\\ndir /data\\nappendonly yes\\n" "$REDIS_PASSWORD" > /tmp/redis.conf',
      'exec redis-server /tmp/redis.conf',
    ),
    ports: [6379],
    env: [secret('REDIS_PASSWORD')],
    health: tcp(6379),
    tested: 'settings',
  },
  {
    ...plain,
    ...small,
    name: 'mosquitto',
    image: 'docker.io/library/eclipse-mosquitto:2',
    command: shell(
      'umask 077',
      'rm -f /tmp/users',
      'touch /tmp/users',
      'mosquitto_passwd -b /tmp/users "$MQTT_USERNAME" "$MQTT_PASSWORD"',
      'mkdir -p /data/mosquitto',
      'printf "listener 1883\\nallow_anonymous false\\npassword_file /tmp/users\\npersistence true\\npersistence_location /data/mosquitto/\\nuser root\\n" > /tmp/mosquitto.conf',
      'exec mosquitto -c /tmp/mosquitto.conf',
    ),
    ports: [1883],
    env: [variable('MQTT_USERNAME', 'tide'), secret('MQTT_PASSWORD')],
    health: tcp(1883),
    tested: 'settings',
  },
  {
    ...plain,
    ...large,
    name: 'gitea',
    image: 'docker.io/gitea/gitea:1.24',
    ports: [3000],
    health: tcp(3000),
  },
  {
    ...plain,
    name: 'grafana',
    image: 'docker.io/grafana/grafana-oss:12.0.0',
    ports: [3000],
    env: [variable('GF_SECURITY_ADMIN_USER', 'admin'), secret('GF_SECURITY_ADMIN_PASSWORD')],
    paths: ['/var/lib/grafana'],
    health: http(3000, '/api/health'),
    cpu: 0.5,
    memory: 512 * MB,
    storage: 5 * GB,
  },
  {
    ...plain,
    ...large,
    name: 'n8n',
    image: 'docker.io/n8nio/n8n:latest',
    ports: [5678],
    paths: ['/home/node/.n8n'],
    health: tcp(5678),
  },
]
