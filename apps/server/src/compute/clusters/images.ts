/**
 * The full name of an image; undefined if the name is invalid or its registry is not allowed. Names without a registry mean Docker Hub. An
 * unlisted registry could make the cluster send requests to machines of its own network.
 */
export function fullImage(text: string, registries: readonly string[]): string | undefined {
  const [first = '', ...rest] = text.split('/')
  const named = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  const registry = named ? first.toLowerCase() : 'docker.io'
  if (!registries.includes(registry)) return undefined
  const path = named ? rest.join('/') : text
  const full = registry === 'docker.io' && !path.includes('/') ? `library/${path}` : path
  if (
    !/^[a-z\d]+([._-]+[a-z\d]+)*(\/[a-z\d]+([._-]+[a-z\d]+)*)*(:[\w][\w.-]{0,127})?(@sha256:[a-f\d]{64})?$/.test(full)
  )
    return undefined
  return `${registry}/${/[:@]/.test(full) ? full : `${full}:latest`}`
}
