// Baseline for downloads: Debian's nginx with its own configuration in a temporary folder.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { pause } from './measure.mjs'

const PROGRAM = '/usr/sbin/nginx'

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Serves the folder of `file` with one worker and sendfile. Throws if nginx cannot be installed. */
export function startNginx(file) {
  const root = dirname(file)
  // The worker runs as another user.
  chmodSync(root, 0o755)
  chmodSync(file, 0o644)
  return start(root, `root ${root};`)
}

/** A proxy with one worker, which keeps connections to the program at this port. `folder` is for its files. */
export const startNginxProxy = (folder, port) =>
  start(
    folder,
    'location / { proxy_pass http://program; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_max_temp_file_size 0; }',
    `upstream program { server 127.0.0.1:${port}; keepalive 64; }`,
  )

async function start(root, inServer, inHttp = '') {
  if (!existsSync(PROGRAM)) {
    if (process.getuid?.() !== 0) throw new Error('nginx is missing: apt-get install nginx-light')
    spawnSync('apt-get', ['install', '-y', 'nginx-light'], { stdio: 'ignore' })
  }
  const folder = join(root, 'nginx')
  mkdirSync(folder)
  const port = await freePort()
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
  sendfile on;
  tcp_nopush on;
  access_log off;
  keepalive_requests 1000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${inHttp}
  server { listen 127.0.0.1:${port}; ${inServer} }
}
`,
  )
  const nginx = spawn(PROGRAM, ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; ; attempt++) {
    const up = await fetch(`${url}/none`).then(
      () => true,
      () => false,
    )
    if (up) break
    if (attempt > 50 || nginx.exitCode !== null) throw new Error('nginx does not start')
    await pause(100)
  }
  return { url, stop: () => nginx.kill('SIGQUIT') }
}
