/**
 * The full name of an image, and whether it may be taken from where it is. Names without a registry are Docker Hub's, as everywhere; a
 * registry by number, or one that the operator does not list, would have the cluster call machines of its own network.
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
