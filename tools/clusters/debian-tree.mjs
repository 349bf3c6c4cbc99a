// A root file system of Debian packages, for tests of programs whose images cannot be pulled here:
// `node tools/clusters/debian-tree.mjs redis-server` prints the path of a tar archive.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { root } from '../build.mjs'

/** What every program needs. */
const BASE = ['base-files', 'base-passwd', 'libc-bin', 'dash', 'coreutils', 'sed', 'grep', 'procps']

/**
 * The packages with everything that they depend on, unpacked but not installed: no script of a package runs. It is made once, in a few
 * seconds, and downloads about 70 MB.
 * @param packages names of Debian packages
 * @returns the path of a tar archive; undefined without Debian, root or its servers
 */
function ensureDebianTree(packages) {
  const names = [...BASE, ...packages].sort()
  const folder = join(root, '.cache', 'debian')
  const archive = join(folder, `${createHash('sha256').update(names.join(' ')).digest('hex').slice(0, 16)}.tar`)
  if (existsSync(archive)) return archive
  if (process.getuid?.() !== 0 || !succeeds('sh', ['-c', 'command -v apt-get && command -v dpkg-deb'])) return undefined
  mkdirSync(folder, { recursive: true })
  const draft = mkdtempSync(join(folder, 'new-'))
  try {
    const [debs, tree] = [join(folder, 'packages'), join(draft, 'tree')]
    mkdirSync(join(debs, 'partial'), { recursive: true })
    // As on a machine without any package, so that all dependencies are downloaded.
    const options = ['Dir::State::status=/dev/null', `Dir::Cache::archives=${debs}`, 'APT::Install-Recommends=false']
    const apt = (...args) =>
      run('apt-get', [
        ...[...options, 'Debug::NoLocking=true', 'APT::Sandbox::User=root'].flatMap((option) => ['-o', option]),
        ...['-qq', '-y', ...args, 'install', ...names],
      ])
    const download = () => apt('--download-only').status === 0
    // A folder without packages: what is there already is not listed.
    const list = () => apt('--reinstall', '--print-uris', '-o', `Dir::Cache::archives=${draft}`).stdout.toString()
    if (!download() && !(succeeds('apt-get', ['-qq', 'update']) && download())) return undefined
    const needed = [...list().matchAll(/^'[^']+' (\S+\.deb) /gm)].map(([, name]) => name)
    if (needed.length === 0) return undefined
    for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
      mkdirSync(join(tree, 'usr', name), { recursive: true })
      symlinkSync(`usr/${name}`, join(tree, name))
    }
    for (const deb of needed)
      if (
        !succeeds('sh', [
          '-c',
          'dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$2"',
          'sh',
          join(debs, deb),
          tree,
        ])
      )
        return undefined
    prepare(tree)
    const file = join(draft, 'tree.tar')
    if (!succeeds('tar', ['-c', '--numeric-owner', '-f', file, '-C', tree, '.'])) return undefined
    renameSync(file, archive)
    return archive
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** What the scripts of the packages would do. */
function prepare(tree) {
  const shells = join(tree, 'usr/bin/sh')
  if (!existsSync(shells)) symlinkSync('dash', shells)
  for (const name of ['php', 'node']) linkNewest(join(tree, 'usr/bin'), name)
  writeFileSync(
    join(tree, 'etc/passwd'),
    'root:x:0:0:root:/root:/bin/sh\nwww-data:x:33:33::/var/www:/bin/false\nnobody:x:65534:65534::/:/bin/false\n',
  )
  writeFileSync(join(tree, 'etc/group'), 'root:x:0:\nadm:x:4:\nwww-data:x:33:\nnogroup:x:65534:\n')
  for (const folder of ['data', 'dev', 'proc', 'sys', 'tmp', 'run', 'root', 'var/log', 'var/lib', 'var/tmp'])
    mkdirSync(join(tree, folder), { recursive: true })
  for (const folder of ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'var/cache'])
    rmSync(join(tree, folder), { recursive: true, force: true })
}

/** `php` for `php8.2`, as update-alternatives would do. */
function linkNewest(folder, name) {
  if (existsSync(join(folder, name))) return
  const [found] = readdirSync(folder).filter((each) => new RegExp(`^${name}\\d[\\d.]*$`).test(each))
  if (found) symlinkSync(found, join(folder, name))
}

const run = (command, args) =>
  spawnSync('nice', ['-n', '10', command, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 ** 2,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
const succeeds = (command, args) => run(command, args).status === 0

const archive = ensureDebianTree(process.argv.slice(2))
if (archive) console.log(archive)
else process.exitCode = 1
