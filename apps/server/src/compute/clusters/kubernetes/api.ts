import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  Exec,
  KubeConfig,
  NetworkingV1Api,
  NodeV1Api,
  PatchStrategy,
  RbacAuthorizationV1Api,
  setHeaderOptions,
  VersionApi,
} from '@kubernetes/client-node'
import { ClusterError, WORKSPACE_FULL } from '../driver.ts'

/** The parts of the API that we use, by one configuration. */
export interface Api {
  config: KubeConfig
  core: CoreV1Api
  apps: AppsV1Api
  rbac: RbacAuthorizationV1Api
  network: NetworkingV1Api
  node: NodeV1Api
  custom: CustomObjectsApi
  version: VersionApi
  exec: Exec
}

/** @param file a kubeconfig; empty: the cluster that the server runs in, or the user's default kubeconfig */
export function openApi(file: string, context: string): Api {
  const config = new KubeConfig()
  if (file !== '') config.loadFromFile(file)
  else config.loadFromDefault()
  if (context !== '') config.setCurrentContext(context)
  return {
    config,
    core: config.makeApiClient(CoreV1Api),
    apps: config.makeApiClient(AppsV1Api),
    rbac: config.makeApiClient(RbacAuthorizationV1Api),
    network: config.makeApiClient(NetworkingV1Api),
    node: config.makeApiClient(NodeV1Api),
    custom: config.makeApiClient(CustomObjectsApi),
    version: config.makeApiClient(VersionApi),
    exec: new Exec(config),
  }
}

export const codeOf = (error: unknown): number | undefined => (error instanceof ApiException ? error.code : undefined)

/** The message of the API server, in one line. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiException)) return (error as Error).message
  try {
    const { message } = JSON.parse(String(error.body)) as { message?: string }
    return message ?? `HTTP ${error.code}`
  } catch {
    return `HTTP ${error.code}`
  }
}

/** Ignores 404. @throws ClusterError for every other error */
export function ignoreNotFound(error: unknown): undefined {
  if (codeOf(error) !== 404) throw asFailure(error)
}

/** Creates a resource, or updates it if it exists. */
export async function ensure(create: () => Promise<unknown>, change: () => Promise<unknown>): Promise<void> {
  try {
    await create()
  } catch (error) {
    if (codeOf(error) !== 409) throw asFailure(error)
    await change().catch((failure: unknown) => {
      throw asFailure(failure)
    })
  }
}

export const mergePatch = () => setHeaderOptions('Content-Type', PatchStrategy.MergePatch)

/** Quotas and limit ranges refuse with 403 and a reason. */
export function asFailure(error: unknown): ClusterError {
  if (error instanceof ClusterError) return error
  const text = messageOf(error)
  const code = codeOf(error)
  if (code === 403 && /exceeded quota|maximum (cpu|memory) usage/.test(text))
    return new ClusterError('full', WORKSPACE_FULL, { cause: error })
  if (code === 404) return new ClusterError('unknown', 'There is no such workload.', { cause: error })
  if (code === undefined) return new ClusterError('absent', `The cluster does not answer: ${text}`, { cause: error })
  return new ClusterError('failed', text, { cause: error })
}
