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
export async function startNginx(file) {
  if (!existsSync(PROGRAM)) {
    if (process.getuid?.() !== 0) throw new Error('nginx is missing: apt-get install nginx-light')
    spawnSync('apt-get', ['install', '-y', 'nginx-light'], { stdio: 'ignore' })
  }
  const root = dirname(file)
  const folder = join(root, 'nginx')
  mkdirSync(folder)
  // The worker runs as another user.
  chmodSync(root, 0o755)
  chmodSync(file, 0o644)
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
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server { listen 127.0.0.1:${port}; root ${root}; }
}
`,
  )
  const nginx = spawn(PROGRAM, ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; ; attempt++) {
    const up = await fetch(url).then(
      () => true,
      () => false,
    )
    if (up) break
    if (attempt > 50 || nginx.exitCode !== null) throw new Error('nginx does not start')
    await pause(100)
  }
  return { url, stop: () => nginx.kill('SIGQUIT') }
}
