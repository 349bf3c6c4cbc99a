import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  Exec,
  KubeConfig,
  NetworkingV1Api,
  PatchStrategy,
  RbacAuthorizationV1Api,
  setHeaderOptions,
  VersionApi,
} from '@kubernetes/client-node'
import { ClusterError } from '../driver.ts'

/** The parts of the API that we use, by one configuration. */
export interface Api {
  config: KubeConfig
  core: CoreV1Api
  apps: AppsV1Api
  rbac: RbacAuthorizationV1Api
  network: NetworkingV1Api
  custom: CustomObjectsApi
  version: VersionApi
  exec: Exec
}

/** @param file empty: the cluster that this program itself runs in, if it does, or the user's usual file */
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
    custom: config.makeApiClient(CustomObjectsApi),
    version: config.makeApiClient(VersionApi),
    exec: new Exec(config),
  }
}

export const codeOf = (error: unknown): number | undefined => (error instanceof ApiException ? error.code : undefined)

/** What the API server says, in one line. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiException)) return (error as Error).message
  try {
    const { message } = JSON.parse(String(error.body)) as { message?: string }
    return message ?? `HTTP ${error.code}`
  } catch {
    return `HTTP ${error.code}`
  }
}

/** What is not there is as it should be. @throws whatever else went wrong */
export function unlessGone(error: unknown): undefined {
  if (codeOf(error) !== 404) throw asFailure(error)
}

/** Makes it, or changes the one that is there. */
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

export const merging = () => setHeaderOptions('Content-Type', PatchStrategy.MergePatch)

/** A quota or a limit range that refuses says 403 with its reason. */
export function asFailure(error: unknown): ClusterError {
  if (error instanceof ClusterError) return error
  const text = messageOf(error)
  const code = codeOf(error)
  if (code === 403 && /exceeded quota|maximum (cpu|memory) usage/.test(text))
    return new ClusterError('full', 'The workspace has no room for it.', { cause: error })
  if (code === 404) return new ClusterError('unknown', 'There is no such workload.', { cause: error })
  if (code === undefined) return new ClusterError('absent', `The cluster does not answer: ${text}`, { cause: error })
  return new ClusterError('failed', text, { cause: error })
}
