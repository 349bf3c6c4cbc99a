import type { V1Ingress } from '@kubernetes/client-node'
import type { ClusterDriver } from '../driver.ts'
import { ensure, mergePatch } from './api.ts'
import { LABEL } from './manifests.ts'
import type { Parts } from './parts.ts'
import type { PodSettings } from './settings.ts'

/**
 * The `Ingress` of all programs. It leads to our ingress, not to programs, because only that one knows who may open which address, and keeps
 * the limits. It is in our namespace, so no tenant comes near the key of its certificate.
 */
export function ingress(
  installation: string,
  domain: string,
  { ingressClass, ingressService, ingressTls }: Pick<PodSettings, 'ingressClass' | 'ingressService' | 'ingressTls'>,
): V1Ingress {
  const [name = '', port] = ingressService.split(':')
  const host = `*.${domain}`
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: `tidenet-${installation}`, labels: { [LABEL.installation]: installation } },
    spec: {
      ingressClassName: ingressClass,
      tls: [{ hosts: [host], ...(ingressTls !== '' && { secretName: ingressTls }) }],
      rules: [
        {
          host,
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: Number(port) } } } }],
          },
        },
      ],
    },
  }
}

export function ingressMethods({ api, options, installation }: Parts): Pick<ClusterDriver, 'leadToIngress'> {
  const { ingressNamespace: namespace, ingressClass } = options
  return {
    async leadToIngress(domain) {
      if (ingressClass === '') return
      const { network } = api()
      const body = ingress(installation, domain, options)
      await ensure(
        () => network.createNamespacedIngress({ namespace, body }),
        // Annotations of the operator, for its controller, stay.
        () =>
          network.patchNamespacedIngress(
            { namespace, name: `tidenet-${installation}`, body: { spec: body.spec } },
            mergePatch(),
          ),
      )
    },
  }
}
