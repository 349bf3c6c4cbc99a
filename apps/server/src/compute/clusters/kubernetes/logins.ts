import type { V1StatefulSet } from '@kubernetes/client-node'
import type { WorkloadRef, WorkloadSpec } from '../driver.ts'
import { ensure, ignoreNotFound } from './api.ts'
import { loginName, loginSecret } from './manifests.ts'
import type { Parts } from './parts.ts'

/**
 * The login with which a node pulls the image of a program. Nodes pull again whenever they start it, so the login stays in the cluster as
 * long as the program should run. Pods have no service account token and mount no secret, so programs cannot read it.
 */

/** Whether the pods of a stateful set are pulled with the login of their program. */
export const usesLogin = (set: V1StatefulSet): boolean =>
  (set.spec?.template.spec?.imagePullSecrets ?? []).some(({ name }) => name === loginName(set.metadata?.name ?? ''))

/** Stores the login of a program, or removes it if the program has none. */
export async function keepLogin(parts: Parts, ref: WorkloadRef, { image, login }: WorkloadSpec): Promise<void> {
  if (image === undefined || !login) return dropLogin(parts, ref)
  const { core } = parts.api()
  const target = { namespace: parts.namespace(ref.workspace) }
  const body = loginSecret(parts.installation, ref, image, login)
  await ensure(
    () => core.createNamespacedSecret({ ...target, body }),
    () => core.replaceNamespacedSecret({ ...target, name: loginName(ref.workload), body }),
  )
}

export async function dropLogin({ api, namespace }: Parts, { workspace, workload }: WorkloadRef): Promise<void> {
  await api()
    .core.deleteNamespacedSecret({ namespace: namespace(workspace), name: loginName(workload) })
    .catch(ignoreNotFound)
}
