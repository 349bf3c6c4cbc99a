/** Commands to install and start the programs that a portal offers. */

/** The start command of a node. @param lineBreak the shell's line continuation */
const start = (origin: string, options: readonly string[], lineBreak = ' \\\n  '): string =>
  [`node package/bin/tidenet-node.js --server ${origin} --data ./tide`, ...options].join(lineBreak)

const open = '--host 0.0.0.0 --port 9000 --public-url https://node.example.org'

export const cliCommands = (origin: string, file: string) => ({
  npm: [
    `curl -O ${origin}/downloads/${file}`,
    `npm install -g ./${file}`,
    `tidenet login --url ${origin}`,
    'tidenet up holiday.jpg',
    'tidenet ls',
    'tidenet get holiday.jpg -o back.jpg',
  ].join('\n'),
  unpack: [
    `curl -O ${origin}/downloads/${file}`,
    `tar xzf ${file}`,
    `node package/bin/tidenet.js login --url ${origin}`,
    'node package/bin/tidenet.js up holiday.jpg',
  ].join('\n'),
  powershell: [
    `Invoke-WebRequest ${origin}/downloads/${file} -OutFile ${file}`,
    `npm install -g ./${file}`,
    `tidenet login --url ${origin}`,
    'tidenet up holiday.jpg',
  ].join('\n'),
})

const owned = (owner: string | undefined): string[] => (owner ? [`--owner ${owner}`] : [])

/** @param owner an owner code */
export const nodeCommands = (origin: string, file: string, owner?: string) => ({
  edge: [`curl -O ${origin}/downloads/${file}`, `tar xzf ${file}`, start(origin, owned(owner))].join('\n'),
  invited: [
    'export TIDENET_JOIN_TOKEN=…',
    start(origin, ['--kind validator --capacity 2TB', open, ...owned(owner)]),
  ].join('\n'),
  reachable: start(origin, [open, ...owned(owner)]),
  powershell: [
    `Invoke-WebRequest ${origin}/downloads/${file} -OutFile ${file}`,
    `tar -xzf ${file}`,
    start(origin, owned(owner), ' `\n  '),
  ].join('\n'),
})

/** Three lines that download a single executable and start it. @param owner an owner code, for a node */
export function singleCommands(origin: string, kind: 'node' | 'cli', file: string, owner?: string): string {
  const start =
    kind === 'node' ? [`--server ${origin} --data ./tide`, ...owned(owner)].join(' ') : `login --url ${origin}`
  const url = `${origin}/downloads/${file}`
  return file.endsWith('.exe')
    ? [`curl.exe -fO ${url}`, `Get-FileHash ${file}`, `.\\${file} ${start}`].join('\n')
    : [`curl -fO ${url}`, `chmod +x ${file}`, `./${file} ${start}`].join('\n')
}

/** Three lines for Termux, which has Node.js but runs no executables of other systems. */
export const termuxCommands = (origin: string, file: string): string =>
  [
    `pkg install -y nodejs-lts && curl -fO ${origin}/downloads/${file}`,
    `tar xzf ${file} && termux-wake-lock`,
    start(origin, ['--capacity 20GiB'], ' '),
  ].join('\n')

/** Verify a checksum: the shells print OK, PowerShell prints True. */
export const checkCommands = (file: string, sha256: string) => ({
  linux: `echo '${sha256}  ${file}' | sha256sum -c`,
  mac: `echo '${sha256}  ${file}' | shasum -a 256 -c`,
  powershell: `(Get-FileHash ${file}).Hash -eq '${sha256.toUpperCase()}'`,
})
