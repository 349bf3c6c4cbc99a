/** Commands to get started with this portal. */
export const startCommands = (origin: string) => ({
  variables: `export TIDENET_URL=${origin}\nexport TIDENET_TOKEN=tnk_…`,
  cli: [`curl -O ${origin}/downloads/tidenet-cli.tgz`, 'npm install -g ./tidenet-cli.tgz', 'tidenet status'].join('\n'),
  sdk: [`npm install ${origin}/downloads/tidenet-storage.tgz`, 'node upload.mjs'].join('\n'),
})

/** Follows the event stream of the network. */
export const streamCommand = (origin: string): string => `curl -N ${origin}/api/v1/network/events`
